import { Worker } from 'node:worker_threads';

const LOOK_EVERY_MS = 500;

/** In a thread of its own, which a main thread that spins doesn't hold up. */
const WATCH = `
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, ${LOOK_EVERY_MS});
`;

/**
 * Ends this process when its parent is gone. The end of the channel to the parent says so sooner, but is only seen by a
 * main thread that comes back to its events.
 */
export function endWithParent(): void {
  const watch = new Worker(WATCH, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: process.ppid,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  watch.unref();
}
