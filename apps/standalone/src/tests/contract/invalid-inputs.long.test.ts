import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { HOSTILE_INPUTS, HostileInputs } from '../../testing/invalid-inputs.ts';

// One request must not block the service for others. This measures how long the main thread works at most before it responds
// to /livez while it handles an invalid input. The minimum of several attempts counts: the first also compiles code.
const LONGEST_SECONDS = 0.1;
const TRIES = 3;

let hostile: HostileInputs;
beforeAll(async () => {
  hostile = await HostileInputs.start();
});
afterAll(() => hostile.stop());

async function longestWork(input: () => Promise<unknown>): Promise<number> {
  const { pid, url } = hostile.service;
  const worker = new Worker(new URL('../../testing/longest-work.mjs', import.meta.url), { workerData: { pid, url } });
  try {
    await once(worker, 'message');
    const measured = once(worker, 'message');
    await input();
    worker.postMessage('end');
    return (await measured)[0] as number;
  } finally {
    await worker.terminate();
  }
}

test.each(HOSTILE_INPUTS)('%s does not keep the service from its other requests', async (name) => {
  const work: number[] = [];
  for (let i = 0; i < TRIES; i++) work.push(await longestWork(hostile.inputs[name]));
  process.stderr.write(`${name}: ${work.map((seconds) => seconds.toFixed(3)).join(', ')} s\n`);
  expect(Math.min(...work)).toBeLessThan(LONGEST_SECONDS);
});
