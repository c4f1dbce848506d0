import type { LookupAddress, LookupOptions } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardedFetch } from './guarded-fetch.ts';

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((req, res) => {
    if (req.url === '/large') res.end('x'.repeat(2 * 1024 * 1024));
    else if (req.url === '/broken') res.writeHead(502).end();
    else if (req.url === '/switched') res.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end();
    else if (req.url === '/moved') res.writeHead(302, { location: '/elsewhere' }).end();
    else res.setHeader('content-type', 'text/plain').end(`${req.method} ${req.url}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

/** Resolves every name to these addresses. */
const fetchWith = (...addresses: string[]) =>
  guardedFetch(((_host: string, _options: LookupOptions, done: (error: null, found: LookupAddress[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as never);
const get = (fetch: ReturnType<typeof guardedFetch>, url: string) => fetch(url, { method: 'GET' });

test('a provider on this machine is reached without TLS (SSO-2)', async () => {
  const fetch = guardedFetch();
  const answer = await fetch(`http://127.0.0.1:${port}/a?b=c`, {
    method: 'POST',
    body: new URLSearchParams({ d: 'e' }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, 'POST /a?b=c']);
  expect((await get(fetchWith('127.0.0.1'), `http://id.localhost:${port}/x`)).status).toBe(200);
});

test('an error of the client and a redirect are answers, and redirects are not followed (SSO-2)', async () => {
  const answer = await get(guardedFetch(), `http://127.0.0.1:${port}/moved`);
  expect([answer.status, await answer.text()]).toEqual([302, '']);
});

test.each([
  ['an address of the network without TLS', 'http://id.example.com/', ['10.0.0.8']],
  ['another protocol', 'ftp://id.example.com/', ['10.0.0.8']],
  ['a metadata address', 'https://169.254.169.254/', []],
  ['a metadata address in another form', 'https://[::ffff:a9fe:a9fe]/', []],
  ['a name of a metadata address', 'https://id.example.com/', ['169.254.169.254', 'fe80::1']],
])('%s is refused (SSO-2)', async (_, url, addresses) => {
  await expect(get(fetchWith(...addresses), url)).rejects.toThrow(/never to link-local or metadata addresses/);
});

test.each([
  ['/large', /more than 1048576 bytes/],
  ['/broken', /it returned 502/],
  ['/switched', /it returned 101/],
])("%s doesn't count as an answer (SSO-6)", async (path, message) => {
  await expect(get(guardedFetch(), `http://127.0.0.1:${port}${path}`)).rejects.toThrow(message);
});
