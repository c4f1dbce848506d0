import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { mock } from 'node:test';
import { ConnectionError, Forbidden, SvcClient } from './index.ts';

let server: Server;
let url: string;
const requests: IncomingMessage[] = [];
beforeAll(async () => {
  server = createServer((req, res) => {
    requests.push(req);
    if (req.url?.endsWith('/logs')) {
      res.setHeader('content-type', 'application/x-ndjson');
      res.end('{"sequence":1}\n{"sequence":2}\n');
      return;
    }
    const forbidden = req.url?.includes('forbidden') ?? false;
    res.statusCode = forbidden ? 403 : 200;
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(forbidden ? { detail: 'No grant allows it.', code: 'forbidden', request_id: 'r1' } : []));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => requests.splice(0));

test('changes send the CSRF token of the session, reads and requests without a session send none', async () => {
  let token: string | undefined = 'csrf-1';
  const svc = new SvcClient({ url, csrfToken: () => token });
  await svc.environments.list();
  await svc.runs.cancel('dev', 'id');
  token = undefined;
  await svc.runs.cancel('dev', 'id');
  expect(requests.map(({ method, headers }) => [method, headers['svc-csrf-token']])).toEqual([
    ['GET', undefined],
    ['POST', 'csrf-1'],
    ['POST', undefined],
  ]);
  expect(requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  expect(requests[1]!.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
});

test('errors are those of the main entry', async () => {
  const error = await new SvcClient({ url }).environments.get('forbidden').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Forbidden);
  expect(error).toMatchObject({ message: 'No grant allows it.', status: 403, requestId: 'r1' });
});

test('responses are streamed, and a body of pieces is sent whole', async () => {
  const svc = new SvcClient({ url });
  const lines: number[] = [];
  for await (const { sequence } of svc.runs.logs('dev', 'id')) lines.push(sequence);
  expect(lines).toEqual([1, 2]);
});

test('an aborted call stops waiting for its next attempt', async () => {
  const stop = new AbortController();
  const svc = new SvcClient({
    transport: async () => {
      stop.abort(new Error('stopped'));
      throw new Error('no connection');
    },
  });
  await expect(svc.environments.list({ signal: stop.signal })).rejects.toThrow('stopped');
});

test('a stream of events fails if the connection is lost without a sign, so that its reader connects again', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  let onRead: (() => void) | undefined;
  const read = () =>
    new Promise<void>((resolve) => {
      onRead = resolve;
    });
  async function* body(signal: AbortSignal) {
    yield bytes('data: {"kind":"ready"}\n\n');
    onRead?.();
    await continued;
    yield bytes(':\n\n');
    onRead?.();
    await once(signal, 'abort');
    throw signal.reason;
  }
  let proceed = () => {};
  const continued = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const svc = new SvcClient({
      transport: async (_, { signal }) => ({
        ...{ status: 200, headers: new Headers(), text: async () => '' },
        body: body(signal as AbortSignal),
      }),
    });
    const stream = svc.events.stream('dev');
    expect((await stream.next()).value).toMatchObject({ kind: 'ready' });
    const first = read();
    const failed = expect(stream.next()).rejects.toThrow(ConnectionError);
    await first;
    mock.timers.tick(30_000);
    const again = read();
    proceed();
    // A sign of life starts the time again.
    await again;
    mock.timers.tick(44_000);
    mock.timers.tick(1000);
    await failed;
  } finally {
    mock.timers.reset();
  }
});

test('the browser entry imports no part of Node', () => {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, name] of text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from '([^']+)'/gm)) {
      expect([file, name]).toEqual([file, expect.stringMatching(/^\./)]);
      visit(join(dirname(file), name!));
    }
    expect([file, /\b(Buffer|process)\b(?!\.md)/.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))]).toEqual([
      file,
      false,
    ]);
  };
  visit(join(import.meta.dirname, 'index.ts'));
  expect(seen.size).toBeGreaterThan(30);
});
