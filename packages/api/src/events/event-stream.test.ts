import { type Change, NOTHING } from '@svc/core/events';
import { EventStream } from './event-stream.ts';

const grants = [{ grant_id: 'g', role: 'ADMIN' as const, action: null, group: null, created_at: 0 }].map((grant) => ({
  ...grant,
  scope: { kind: 'INSTANCE' as const, environment: null, namespace: null, table: null },
}));

const opened = (check = async () => ({ principalId: 'p', environment: 'dev', grants, rightsChanged: false })) => {
  const ids: number[] = [];
  const idOf = (position: number) => {
    ids.push(position);
    return String(position);
  };
  const stream = new EventStream({ environmentId: 'e', principalId: 'p', check, idOf });
  return { stream, ids };
};
const run = (id: string): { environmentId: string; change: Change } => ({
  environmentId: 'e',
  change: { event: { ...NOTHING, kind: 'run', id }, readers: { of: 'environment' } },
});
const runs = (count: number) => Array.from({ length: count }, (_, i) => run(`run-${i}`));

async function texts(stream: EventStream, until: string): Promise<string> {
  let text = '';
  for await (const piece of stream.body) {
    text += piece;
    if (text.includes(until)) break;
  }
  return text;
}

test('what changes repeatedly within a batch is sent once, with the position of the batch', async () => {
  const { stream } = opened();
  stream.start(3);
  stream.offer([run('a'), run('b')], 4);
  stream.offer([run('a'), { ...run('c'), environmentId: 'other' }], 6);
  const text = await texts(stream, 'id: 6');
  expect(text.match(/"id":"[a-c]"/g)).toEqual(['"id":"a"', '"id":"b"']);
});

test('more changes than a stream holds become one reset (LIVE-5)', async () => {
  const { stream } = opened();
  stream.start(0);
  stream.offer(runs(501), 501);
  const text = await texts(stream, 'id: 501');
  expect(text).toContain('"kind":"reset"');
  expect(text).not.toContain('"kind":"run"');
});

test('a client that reads nothing is cut (LIVE-5)', async () => {
  const { stream } = opened();
  const closed = new Promise((resolve) => stream.body.once('close', resolve));
  stream.start(0);
  for (let beats = 0; !stream.isClosed; beats++) {
    expect(beats).toBeLessThan(64 * 1024);
    await stream.beat();
  }
  await closed;
  expect(stream.body.readableLength).toBeLessThan(70_000);
});

test('a stream whose rights cannot be checked ends and sends nothing (LIVE-3)', async () => {
  const { stream } = opened(async () => {
    throw new Error('no database');
  });
  stream.start(0);
  stream.offer([run('a')], 1);
  expect(await texts(stream, 'never')).not.toContain('"kind":"run"');
});

test('a heartbeat or a shutdown during the opening of a stream ends it only after its start (LIVE-3)', async () => {
  const { stream } = opened(async () => null as never);
  await stream.beat();
  stream.end();
  expect(stream.isClosed).toBe(false);
  stream.start(0);
  stream.end();
  expect(await texts(stream, '\n\n')).toContain('"kind":"ready"');
});
