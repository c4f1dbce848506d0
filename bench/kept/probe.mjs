// Loaded into a measured process before its program: reports its memory after a full collection of garbage, and writes
// its heap into a file where one is named.
import { createServer } from 'node:net';
import { writeHeapSnapshot } from 'node:v8';

async function measure() {
  // More than once: what is finalized in the first is collected in the next.
  for (let i = 0; i < 3; i++) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage();
}

const server = createServer((socket) => {
  socket.once('data', async (request) => {
    const file = request.toString().trim();
    const response = await measure();
    if (file !== '') writeHeapSnapshot(file);
    socket.end(JSON.stringify(response));
  });
});
server.listen(process.env.BENCH_PROBE).unref();
