import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { plainTransport } from './transport.ts';

test('an upload that is rejected halfway stops with the response', async () => {
  const server = createServer((req, res) => {
    req.once('data', () => res.writeHead(507).end('full'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gone = once(server, 'connection').then(([socket]) => new Promise((resolve) => socket.once('close', resolve)));
  let cancelled = false;
  async function* body() {
    try {
      for (;;) yield Buffer.alloc(1 << 20);
    } finally {
      cancelled = true;
    }
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { signal } = new AbortController();
  const response = await plainTransport(url, { method: 'POST', headers: {}, body: body(), signal });
  expect([response.status, await response.text()]).toEqual([507, 'full']);
  await gone;
  expect(cancelled).toBe(true);
  server.close();
});
