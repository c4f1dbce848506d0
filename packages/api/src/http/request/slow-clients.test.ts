import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { ApiError } from '@svc/core/errors';
import { pino } from 'pino';
import { startTestServer, type TestServer } from '../../testing/index.ts';
import { CONNECTION_TIMES, type ConnectionLimits, limitConnections } from '../server/connections.ts';
import { type BodyTimeouts, withTimeouts } from './body-timeouts.ts';
import { readBody } from './input.ts';

// Far from what a healthy exchange on one machine takes, and short enough to wait for.
const SHORT: BodyTimeouts = { idleMs: 150, graceMs: 10_000, bytesPerSecond: 1 };
const open: { servers: Server[]; sockets: Socket[] } = { servers: [], sockets: [] };
afterEach(() => {
  for (const socket of open.sockets.splice(0)) socket.destroy();
  for (const server of open.servers.splice(0)) server.close();
});

async function serve(listener: RequestListener, limits: Partial<ConnectionLimits> = {}): Promise<number> {
  const server = createServer({ requestTimeout: 0 }, listener);
  limitConnections(server, { connections: 0, ...CONNECTION_TIMES, ...limits }, pino({ level: 'silent' }));
  open.servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  open.sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const HALF = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf';

describe('a body', () => {
  const respondWithOutcome: (timeouts: BodyTimeouts) => RequestListener = (timeouts) => (req, res) => {
    readBody(req, 1e6, timeouts).then(
      (body) => res.end(`whole ${body.length}`),
      (error: unknown) => {
        res.statusCode = error instanceof ApiError ? error.status : 500;
        res.end(error instanceof ApiError ? error.code : String(error));
      },
    );
  };

  test('that stops half way is answered, and its connection closed', async () => {
    const socket = await dial(await serve(respondWithOutcome(SHORT), { lingerMs: 1 }));
    socket.write(HALF);
    const received: Buffer[] = [];
    socket.on('data', (piece: Buffer) => received.push(piece));
    await once(socket, 'close');
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 408 [\s\S]*body-too-slow/);
  });

  test('rejected unread leaves nothing behind on the reused connection', async () => {
    const listeners: number[] = [];
    const port = await serve((req, res) => {
      listeners.push(req.socket.listenerCount('close'));
      res.end('no');
      req.resume();
    });
    const socket = await dial(port);
    for (let n = 0; n < 15; n++) {
      const answered = once(socket, 'data');
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n1');
      await answered;
      socket.write('2345');
    }
    expect(new Set(listeners).size).toBe(1);
  });

  test('that comes a byte at a time is too slow, once it had its time', async () => {
    const drip = new PassThrough();
    const timer = setInterval(() => drip.write('.'), 5);
    const timeouts = { idleMs: 10_000, graceMs: 50, bytesPerSecond: 1e6 };
    const read = async () => {
      for await (const _ of withTimeouts(drip, timeouts));
    };
    await expect(read()).rejects.toMatchObject({ code: 'body-too-slow', status: 408 });
    clearInterval(timer);
  });

  test('may be worked on for as long as it takes: only waiting for the client counts', async () => {
    const source = Readable.from([Buffer.alloc(10), Buffer.alloc(10)], { objectMode: false });
    const timeouts = { idleMs: 10_000, graceMs: 20, bytesPerSecond: 1e6 };
    let taken = 0;
    for await (const piece of withTimeouts(source, timeouts)) {
      taken += piece.length;
      const until = performance.now() + 40;
      while (performance.now() < until);
    }
    expect(taken).toBe(20);
  });

  test('that is whole is read whole', async () => {
    const port = await serve(respondWithOutcome(SHORT));
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'x'.repeat(300_000) });
    expect(await response.text()).toBe('whole 300000');
  });

  test('that nobody reads keeps its connection no longer than its answer', async () => {
    const socket = await dial(await serve((_req, res) => void res.end('no'), { lingerMs: 1 }));
    socket.write(HALF);
    socket.resume();
    await once(socket, 'close');
  });
});

describe('connections', () => {
  test('whose client takes nothing of its answer are closed', async () => {
    const port = await serve((_req, res) => void res.end(Buffer.alloc(64 << 20)), { idleTimeoutMs: 100 });
    const socket = await dial(port);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(open.servers[0]!, 'timeout');
    socket.resume();
    await once(socket, 'close');
    expect(socket.bytesRead).toBeLessThan(64 << 20);
  });

  test('without a request are closed; those whose request is worked on are not', async () => {
    let response: () => void = () => {};
    const port = await serve(
      (_req, res) => {
        response = () => res.end('late');
      },
      { idleTimeoutMs: 50 },
    );
    const server = open.servers[0]!;
    const busy = await dial(port);
    busy.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await once(server, 'timeout');
    const received: Buffer[] = [];
    busy.on('data', (piece: Buffer) => received.push(piece));
    const idle = await dial(port);
    idle.resume();
    await once(idle, 'close');
    response();
    await once(busy, 'close');
    expect(Buffer.concat(received).toString()).toContain('late');
  });

  describe('of the service', () => {
    let service: TestServer;
    beforeAll(async () => {
      service = await startTestServer({ env: { SVC_LIMITS__CONNECTIONS: '2' } });
    });
    afterAll(() => service.stop());

    test('are as many as the setting says', async () => {
      const port = Number(new URL(service.url).port);
      await dial(port);
      await dial(port);
      const third = await dial(port);
      third.resume();
      await once(third, 'close');
      open.sockets[0]!.destroy();
    });
  });
});
