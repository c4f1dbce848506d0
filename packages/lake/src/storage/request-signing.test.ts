import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openStore } from './open-store.ts';

const credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret-of-the-key' };
const COPY = 'x-amz-copy-source';

/** A server of S3 without objects, which checks signatures only as far as `respond` does. */
async function server(respond: (req: IncomingMessage) => number) {
  const copies: string[] = [];
  const removed: string[] = [];
  const http = createServer(async (req, res) => {
    await text(req);
    if (req.headers[COPY] !== undefined) copies.push(`${req.method} ${req.url} of ${req.headers[COPY]}`);
    if (req.method === 'DELETE') removed.push(String(req.url));
    const status = respond(req);
    res.writeHead(status, { 'Content-Type': 'text/xml' });
    res.end(status === 200 ? '' : '<Error><Code>Some</Code></Error>');
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const endpoint = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const cacheDir = await mkdtemp(join(tmpdir(), 'svc-signing-'));
  const store = await openStore('s3://lake/w', {
    ...{ endpoint, region: 'us-east-1', pathStyle: true, credentials, cacheDir, cacheLimit: 1e6, clock: Date.now },
    maxAttempts: 1,
  });
  const signer = (await store.signerOf(store.root))!;
  const sign = (method: string, query = '') =>
    signer.sign({ method, uri: `${endpoint}/lake/w/t/a%20b${query}`, region: 'us-east-1', headers: {} }, new Date());
  const stop = async () => {
    http.close();
    http.closeAllConnections();
    await rm(cacheDir, { recursive: true });
  };
  return { copies, removed, sign, stop };
}

const covers = ({ headers }: IncomingMessage) => headers.authorization?.includes(COPY) ?? false;

test('a store that checks which headers a signature covers is tested once', async () => {
  const { copies, sign, stop } = await server((req) => (req.headers[COPY] === undefined || covers(req) ? 404 : 403));
  expect((await sign('GET')).headers).toHaveProperty('authorization');
  expect(copies).toEqual([]);
  for (const query of ['', '?partNumber=1&uploadId=u'])
    expect((await sign('PUT', query)).headers).toHaveProperty('authorization');
  expect(copies).toEqual(['PUT /lake/w/t/a%20b.svc-probe?x-id=PutObject of lake/w/t/a%20b.svc-probe']);
  await stop();
});

test.each([404, 200, 400])(
  'nothing is written with a signature if the store responds to a copy with %s',
  async (status) => {
    const { copies, removed, sign, stop } = await server(() => status);
    for (const query of ['', '?partNumber=1&uploadId=u', '?uploads'])
      await expect(sign(query === '?uploads' ? 'POST' : 'PUT', query)).rejects.toThrow('could copy any other file');
    expect((await sign('GET')).headers).toHaveProperty('authorization');
    expect((await sign('DELETE')).headers).toHaveProperty('authorization');
    expect(copies).toHaveLength(1);
    const created = status === 200 ? ['/lake/w/t/a%20b.svc-probe?x-id=DeleteObject'] : [];
    expect(removed).toEqual(created);
    await stop();
  },
);

test('a store that does not respond is tested again', async () => {
  let status = 503;
  const { copies, sign, stop } = await server(() => status);
  await expect(sign('PUT')).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
  status = 403;
  expect((await sign('PUT')).headers).toHaveProperty('authorization');
  expect(copies).toHaveLength(2);
  await stop();
});
