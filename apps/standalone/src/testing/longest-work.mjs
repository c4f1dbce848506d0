// A separate thread, so that the test's own work isn't measured: it requests /livez repeatedly and measures how
// long the service's main thread worked until it responded. It counts the thread's own processor time, because on a busy
// machine the thread also waits for a processor, which isn't its fault.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const { pid, url } = workerData;

/** Seconds that the main thread has worked so far (Linux). */
const worked = () => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;

/** Seconds that it worked until it responded to one request. */
async function probe() {
  const before = worked();
  const response = await fetch(`${url}/livez`);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`/livez answered ${response.status}`);
  return worked() - before;
}

let stopped = false;
parentPort.once('message', () => {
  stopped = true;
});
let longest = 0;
// The first request loads code that later ones use.
await probe();
parentPort.postMessage('ready');
do longest = Math.max(longest, await probe());
while (!stopped);
parentPort.postMessage(longest);
