import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { piecesOf } from './input.ts';

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const servers: http.Server[] = [];
afterAll(() => {
  agent.destroy();
  for (const server of servers) server.close();
});

async function serve(handle: (req: http.IncomingMessage) => Promise<string>): Promise<number> {
  const server = http.createServer((req, res) => {
    handle(req).then(
      (text) => res.end(text),
      (error: NodeJS.ErrnoException) => res.end(error.code),
    );
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function send(port: number, body: Buffer): Promise<string> {
  const req = http.request({ port, host: '127.0.0.1', method: 'POST', agent });
  Readable.from(body, { objectMode: false }).pipe(req);
  const [res] = (await once(req, 'response')) as [http.IncomingMessage];
  return (await res.toArray()).join('');
}

test('a large body arrives whole, in pieces that never hold much', async () => {
  const sizes: number[] = [];
  const port = await serve(async (req) => {
    const hash = createHash('sha256');
    for await (const piece of piecesOf(req)) {
      hash.update(piece);
      sizes.push(piece.length);
      for (let n = 0; n < 20; n++) await turn();
    }
    return hash.digest('hex');
  });
  const body = randomBytes(20_000_000);
  expect(await send(port, body)).toBe(hashOf(body));
  expect(Math.max(...sizes)).toBeLessThan(1 << 21);
  expect(await send(port, Buffer.alloc(0))).toBe(hashOf(Buffer.alloc(0)));
});

test('a handler that stops early can drain the rest and respond, and the connection is reused', async () => {
  const port = await serve(async (req) => {
    let came = 0;
    for await (const piece of piecesOf(req)) {
      came = piece.length;
      break;
    }
    req.resume();
    return came > 0 ? 'enough' : 'nothing';
  });
  for (let n = 0; n < 3; n++) expect(await send(port, Buffer.alloc(5_000_000))).toBe('enough');
});

test('a body that breaks off is an error after what came of it', async () => {
  let onRead: (received: string) => void = () => {};
  const outcome = new Promise<string>((resolve) => {
    onRead = resolve;
  });
  const port = await serve(async (req) => {
    let size = 0;
    try {
      for await (const piece of piecesOf(req)) {
        size += piece.length;
        client.destroy();
      }
    } catch (error) {
      onRead(`${size} ${(error as NodeJS.ErrnoException).code}`);
    }
    return '';
  });
  const client = http.request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': 10 } });
  client.on('error', () => {});
  client.write('12345');
  expect(await outcome).toBe('5 ECONNRESET');
});
