import { mock } from 'node:test';
import { WaitingQueries } from './waiting-queries.ts';

test('the submitter with the fewest running queries is next, then the query that came first (QUERY-11)', async () => {
  const waiting = new WaitingQueries<string>();
  const started: string[] = [];
  const running: Record<string, number> = { ann: 2, ben: 1, cleo: 1 };
  const queries = ['ann 1', 'ben 1', 'ben 2', 'cleo 1'].map((name) =>
    waiting.wait(name.split(' ')[0]!, 1000).then(() => started.push(name)),
  );
  while (waiting.size > 0) {
    waiting.startNext(
      (submitter) => running[submitter]!,
      (submitter) => {
        running[submitter]!++;
        return 'slot';
      },
    );
  }
  await Promise.all(queries);
  expect(started).toEqual(['ben 1', 'cleo 1', 'ann 1', 'ben 2']);
});

test('a query that waits for too long, and every query when the process stops, goes to the queue', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const waiting = new WaitingQueries<string>();
    const [short, long] = [waiting.wait('ann', 200), waiting.wait('ben', 1000)];
    mock.timers.tick(200);
    expect([await short, waiting.size]).toEqual([null, 1]);
    waiting.clear();
    expect([await long, waiting.size]).toEqual([null, 0]);
  } finally {
    mock.timers.reset();
  }
});
