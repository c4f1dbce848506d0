import { mock } from 'node:test';
import type { ClaimedQuery } from '@svc/db/queries';
import type { WorkSlot } from './claims.ts';
import { WaitingQueries } from './waiting-queries.ts';

const SLOT: WorkSlot = { release: () => {} };
const claimOf = (submitterId: string): { query: ClaimedQuery; slot?: WorkSlot } => ({
  query: { submitter_id: submitterId } as ClaimedQuery,
});

test('the submitter with the fewest running queries is next, then the query that came first (QUERY-11)', async () => {
  const waiting = new WaitingQueries();
  const started: string[] = [];
  const running = new Map(Object.entries({ ann: 2, ben: 1, cleo: 1 }));
  const claims = ['ann 1', 'ben 1', 'ben 2', 'cleo 1'].map((name) => ({ name, claim: claimOf(name.split(' ')[0]!) }));
  const counted = new Set<unknown>();
  const queries = claims.map(({ name, claim }) =>
    waiting.wait(claim, 1000).then((hasSlot) => started.push(`${name} ${hasSlot && claim.slot === SLOT}`)),
  );
  while (waiting.size > 0) {
    waiting.startNext(SLOT, running);
    const { claim } = claims.find(({ claim: each }) => each.slot !== undefined && !counted.has(each))!;
    counted.add(claim);
    running.set(claim.query.submitter_id, running.get(claim.query.submitter_id)! + 1);
  }
  await Promise.all(queries);
  expect(started).toEqual(['ben 1 true', 'cleo 1 true', 'ann 1 true', 'ben 2 true']);
});

test('a query that waits for too long, and every query when the process stops, goes to the queue', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const waiting = new WaitingQueries();
    const [short, long] = [waiting.wait(claimOf('ann'), 200), waiting.wait(claimOf('ben'), 1000)];
    mock.timers.tick(200);
    expect([await short, waiting.size]).toEqual([false, 1]);
    waiting.clear();
    expect([await long, waiting.size]).toEqual([false, 0]);
  } finally {
    mock.timers.reset();
  }
});
