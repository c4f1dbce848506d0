import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcp, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from '../testing/index.ts';
import { type GuardProxy, startGuardProxy } from './guard-proxy.ts';
import { upstreamOf, upstreamProxy } from './upstream-proxy.ts';

let http: Server;
let tcp: Server;
let ports: { http: number; tcp: number };
const guards: GuardProxy[] = [];
const seen: string[] = [];
beforeAll(async () => {
  http = createServer((req, res) => {
    seen.push(`${req.url} ${JSON.stringify(req.headers)}`);
    if (req.url === '/switched') res.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end();
    else res.end('served');
  });
  tcp = createTcp((socket) => socket.end('tunnelled'));
  for (const server of [http, tcp]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ports = { http: (http.address() as AddressInfo).port, tcp: (tcp.address() as AddressInfo).port };
});
afterEach(async () => {
  for (const guard of guards.splice(0)) await guard.close();
});
afterAll(() => {
  http.close();
  tcp.close();
});

async function guard(allowed: { scheme: 'http' | 'https'; host: string; port: number }[], addresses = ['127.0.0.1']) {
  const started = await startGuardProxy({ allowed, resolve: async () => addresses });
  guards.push(started);
  return started;
}

/** A plain request through the guard; its answer. */
function get({ url }: GuardProxy, target: string, headers = {}): Promise<{ status: number; text: string }> {
  return new Promise((done, fail) => {
    const sent = request(url, { path: target, headers }, (answer) => {
      let text = '';
      answer.on('data', (piece: Buffer) => {
        text += piece.toString();
      });
      answer.on('end', () => done({ status: answer.statusCode!, text }));
    });
    sent.on('error', fail);
    sent.end();
  });
}

/** What comes back through a tunnel to `target`. */
function tunnel({ url }: GuardProxy, target: string): Promise<string> {
  return new Promise((done, fail) => {
    const { hostname, port } = new URL(url);
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`));
    socket.on('data', (piece) => {
      text += piece.toString();
    });
    socket.on('close', () => done(text));
    socket.on('error', fail);
  });
}

test('a target that is allowed later is reached, at any address except forbidden ones', async () => {
  const started = await startGuardProxy({ allowed: [], resolve: async () => ['127.0.0.1'], mayConnect: () => false });
  guards.push(started);
  const target = `spark.example:${ports.tcp}`;
  expect(await tunnel(started, target)).toContain('403');
  started.allow({ scheme: 'https', host: 'spark.example', port: ports.tcp });
  expect(await tunnel(started, target)).toContain('tunnelled');
  expect(await tunnel(started, `spark.example:${ports.http}`)).toContain('403');
  const forbidden = await guard([], ['169.254.169.254']);
  forbidden.allow({ scheme: 'https', host: 'spark.example', port: ports.tcp });
  expect(await tunnel(forbidden, target)).toContain('403');
});

test('a server that switches protocols gets the client an error', async () => {
  const made = await guard([{ scheme: 'http', host: 'index.example', port: ports.http }]);
  const answer = await get(made, `http://index.example:${ports.http}/switched`);
  expect(answer).toMatchObject({ status: 502, text: expect.stringContaining('switched protocols') });
});

test('what is allowed passes, by tunnel and plainly', async () => {
  const host = 'index.example';
  const made = await guard([
    { scheme: 'http', host, port: ports.http },
    { scheme: 'https', host, port: ports.tcp },
  ]);
  expect(
    await get(made, `http://${host}:${ports.http}/a?b=1`, { Authorization: 'Basic x', 'Proxy-Authorization': 'y' }),
  ).toEqual({ status: 200, text: 'served' });
  expect(seen.at(-1)).toContain('/a?b=1');
  expect(seen.at(-1)).toContain('Basic x');
  expect(seen.at(-1)).not.toContain('proxy-authorization');
  expect(await tunnel(made, `INDEX.example:${ports.tcp}`)).toContain('tunnelled');
  expect(made.refused).toEqual([]);
});

test.each([
  ['another port', 'index.example:1'],
  ['another host', 'other.example:443'],
  ['a look-alike', 'index.example.evil:443'],
  ['a user name that looks like the host', 'index.example@evil:443'],
  ['no port', 'index.example'],
  ['nothing', ':'],
])('%s is refused', async (_, target) => {
  const made = await guard([{ scheme: 'https', host: 'index.example', port: 443 }]);
  expect(await tunnel(made, target)).toMatch(/^HTTP\/1\.1 (400|403)/);
});

test('the download limit applies to all requests in both directions', async () => {
  const host = 'index.example';
  const allowed = [
    { scheme: 'http' as const, host, port: ports.http },
    { scheme: 'https' as const, host, port: ports.tcp },
  ];
  const budget = { remainingBytes: 'served'.length + 3 };
  const two = [0, 1].map(() => startGuardProxy({ allowed, budget, resolve: async () => ['127.0.0.1'] }));
  const [first, second] = await Promise.all(two);
  guards.push(first!, second!);
  expect(await get(first!, `http://${host}:${ports.http}/`)).toEqual({ status: 200, text: 'served' });
  await tunnel(second!, `${host}:${ports.tcp}`).catch(() => {});
  expect(budget.remainingBytes).toBeLessThan(0);
  expect((await get(first!, `http://${host}:${ports.http}/`)).status).toBe(403);
  expect(await tunnel(second!, `${host}:${ports.tcp}`)).toContain('403');
  expect(first!.refused).toEqual([]);
});

test('a scheme is not exchanged for another', async () => {
  const made = await guard([
    { scheme: 'https', host: 'index.example', port: ports.http },
    { scheme: 'http', host: 'index.example', port: ports.tcp },
  ]);
  expect((await get(made, `http://index.example:${ports.http}/`)).status).toBe(403);
  expect(await tunnel(made, `index.example:${ports.tcp}`)).toContain('403');
  expect(made.refused).toEqual([`http://index.example:${ports.http}`, `https://index.example:${ports.tcp}`]);
});

test('a name that leads to a metadata address is refused, whatever is allowed', async () => {
  for (const address of ['169.254.169.254', '::ffff:a9fe:a9fe', 'fe80::1']) {
    const made = await guard([{ scheme: 'https', host: 'index.example', port: 443 }], [address]);
    expect(await tunnel(made, 'index.example:443')).toContain('403');
    expect(made.refused).toEqual(['https://index.example:443']);
  }
});

describe("behind the operator's proxy", () => {
  const https = { scheme: 'https' as const, host: 'index.example', port: 443 };
  const sent = async (resolve: () => Promise<string[]>, port = ports.http) => {
    const upstream = { url: `http://127.0.0.1:${port}`, noProxy: '' };
    const made = await startGuardProxy({ allowed: [https], upstream, resolve });
    guards.push(made);
    return { reply: await tunnel(made, 'index.example:443'), refused: made.refused };
  };

  test('a name that is known here to lead to a metadata address is not requested at all', async () => {
    const { reply, refused } = await sent(async () => ['169.254.169.254']);
    expect([reply.slice(0, 12), refused]).toEqual(['HTTP/1.1 403', ['https://index.example:443']]);
  });

  test('one that only the proxy can resolve is requested', async () => {
    const unknown = () => Promise.reject(new Error('ENOTFOUND'));
    const { reply, refused } = await sent(unknown);
    // The proxy of this test takes no CONNECT.
    expect([reply.slice(0, 12), refused]).toEqual(['HTTP/1.1 502', []]);
  });

  test.each([
    ['user:pa%3Ass', 'user:pa:ss'],
    ['user:pa%ss', 'user:pa%ss'],
  ])('it receives the credential %s', async (written, decoded) => {
    const received: (string | undefined)[] = [];
    const proxy = createServer().on('connect', (req, socket) => {
      received.push(req.headers['proxy-authorization']);
      socket.end('HTTP/1.1 407 Denied\r\n\r\n');
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    const upstream = { url: `http://${written}@127.0.0.1:${(proxy.address() as AddressInfo).port}`, noProxy: '' };
    const made = await startGuardProxy({ allowed: [https], upstream, resolve: async () => ['93.184.215.14'] });
    guards.push(made);
    await tunnel(made, 'index.example:443');
    proxy.close();
    expect(received).toEqual([`Basic ${Buffer.from(decoded).toString('base64')}`]);
  });

  test('one at https is reached with TLS, and only if its certificate names it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-proxy-'));
    const { path, key, cert } = await makeCertificate(folder, 'DNS:localhost,IP:127.0.0.1');
    const received: (string | undefined)[] = [];
    const proxy = createSecureServer({ key, cert });
    proxy.on('connect', (req, socket) => {
      received.push(`${req.url} ${req.headers['proxy-authorization']}`);
      socket.end('HTTP/1.1 200 OK\r\n\r\ntunnelled');
    });
    await new Promise<void>((done) => proxy.listen(0, done));
    const { port } = proxy.address() as AddressInfo;
    const through = async (url: string, env: Record<string, string>) => {
      const upstream = upstreamProxy({ HTTPS_PROXY: url, ...env });
      const made = await startGuardProxy({ allowed: [https], upstream, resolve: async () => ['93.184.215.14'] });
      guards.push(made);
      return tunnel(made, 'index.example:443');
    };
    const trusted = { SSL_CERT_FILE: path };
    for (const host of ['localhost', '127.0.0.1'])
      expect(await through(`https://user:password@${host}:${port}`, trusted)).toContain('tunnelled');
    expect(received).toEqual(
      Array(2).fill(`index.example:443 Basic ${Buffer.from('user:password').toString('base64')}`),
    );
    expect(await through(`https://[::1]:${port}`, trusted)).toContain('502');
    expect(await through(`https://localhost:${port}`, {})).toContain('502');
    expect(received).toHaveLength(2);
    await new Promise((done) => proxy.close(done));
    rmSync(folder, { recursive: true });
  });

  test('another kind of proxy is refused', async () => {
    const upstream = upstreamProxy({ HTTPS_PROXY: `socks5://127.0.0.1:${ports.tcp}` })!;
    await expect(upstreamOf(upstream, 'index.example')!.connect(https)).rejects.toThrow('must start with https:// or');
  });
});
