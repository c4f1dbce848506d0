import { Worker } from 'node:worker_threads';

const POLL_MS = 500;

/** Runs in a separate thread, which a busy main thread can't block. */
const WATCH = `
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, ${POLL_MS});
`;

/**
 * Ends this process when its parent is gone, where the system doesn't. The closed IPC channel signals this sooner, but only a main thread that
 * returns to its event loop notices it.
 */
export function exitWithParent(): void {
  const watch = new Worker(WATCH, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: process.ppid,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  watch.unref();
}
