// A thread of its own, so that what the test itself does is not measured: requests /livez again and again, and finds out how
// long the service's main thread worked until it answered. What counts is the thread's own time on a processor: on a busy
// machine it waits for one, which is no fault of what it does.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const { pid, url } = workerData;

/** Seconds that the main thread has worked so far (Linux). */
const worked = () => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;

/** Seconds that it worked until it answered one request. */
async function probe() {
  const before = worked();
  const response = await fetch(`${url}/livez`);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`/livez answered ${response.status}`);
  return worked() - before;
}

let ended = false;
parentPort.once('message', () => {
  ended = true;
});
let longest = 0;
// The first request loads what later ones use.
await probe();
parentPort.postMessage('ready');
do longest = Math.max(longest, await probe());
while (!ended);
parentPort.postMessage(longest);
