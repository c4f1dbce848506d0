import { createHash } from 'node:crypto';
import type { SvcClient, UploadFile } from '@svc/sdk';
import { makeOrders, rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

const UPLOADS = '/api/v1/environments/dev/namespaces/shop/tables/orders/uploads';
const MB = 1024 * 1024;
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
let s: TestService;
let now = Date.parse('2026-03-01T08:00:00Z');

beforeAll(async () => {
  s = await startTestService({}, { clock: () => new Date(now) });
  await makeOrders(s.client, 'dev');
});
afterAll(() => s.stop());

/** An NDJSON file of somewhat more than one part, with a byte order mark as some programs write it. */
const LINES = 140;
const large = Buffer.concat([
  Buffer.from('\ufeff'),
  ...Array.from({ length: LINES }, (_, i) => Buffer.from(`{"id": ${i + 1}, "buyer": "${'é'.repeat(MB / 4)}"}\n`)),
]);

/** A file whose connection breaks before the byte at `breaksAt`, and the positions that were read. */
function fileOf(bytes: Buffer, breaksAt = bytes.length): UploadFile & { read: [number, number][] } {
  const read: [number, number][] = [];
  const slice = (start: number, end: number) => ({
    async *stream() {
      read.push([start, end]);
      for (let at = start; at < end; at += MB) {
        if (at >= breaksAt) throw new Error('the network is gone');
        yield bytes.subarray(at, Math.min(at + MB, end));
      }
    },
  });
  return { size: bytes.length, slice, read };
}

const options = { format: 'ndjson', mode: 'replace', fingerprint: 'orders of march' } as const;
const load = (client: SvcClient, file: UploadFile) => client.tables.load('dev', 'shop.orders', file, options);

const part = (id: string, number: number | string, body: Uint8Array, token = TOKEN) =>
  fetch(`${s.url}${UPLOADS}/${id}/parts/${number}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body,
  }).then(async (response) => ({ status: response.status, body: (await response.json()) as Record<string, unknown> }));

const start = async (body: object) =>
  (await s.call('POST', '/environments/dev/namespaces/shop/tables/orders/uploads', { body })).body;
const call = (method: string, path: string, more = {}) =>
  s.call(method, `/environments/dev/namespaces/shop/tables/orders/uploads${path}`, more);

test('a large file arrives in parts; after a broken connection, the same call sends only the missing part (TABLE-11)', async () => {
  const broken = fileOf(large, 66 * MB);
  await expect(load(s.client, broken)).rejects.toThrow('the network is gone');
  expect(await rowsOf(s.client, 'dev', 'SELECT count(*) FROM shop.orders')).toEqual([[0]]);
  const unfinished = await start({ format: 'ndjson', size: large.length, fingerprint: options.fingerprint });
  expect(unfinished.parts).toEqual([{ number: 1, size: 64 * MB, sha256: hashOf(large.subarray(0, 64 * MB)) }]);
  const { id } = await load(s.client, fileOf(large));
  expect(await s.client.writes.wait('dev', id)).toMatchObject({ status: 'succeeded', rows: LINES, mode: 'replace' });
  expect(await rowsOf(s.client, 'dev', 'SELECT sum(id), min(length(buyer)) FROM shop.orders')).toEqual([
    [String((LINES * (LINES + 1)) / 2), MB / 4],
  ]);
  while ((await s.stored('staged')).length > 0) await new Promise(setImmediate);
  // The next upload of the same file starts again.
  const next = await start({ format: 'ndjson', size: large.length, fingerprint: options.fingerprint });
  expect([next.parts, next.id === unfinished.id]).toEqual([[], false]);
});

test('a part that differs from the file is sent again', async () => {
  const changed = Buffer.from(large);
  changed.write('{"id": 9', 3);
  await expect(load(s.client, fileOf(changed, 66 * MB))).rejects.toThrow('the network is gone');
  const { id } = await load(s.client, fileOf(large));
  expect(await s.client.writes.wait('dev', id)).toMatchObject({ status: 'succeeded', rows: LINES });
  expect(await rowsOf(s.client, 'dev', 'SELECT min(id) FROM shop.orders')).toEqual([[1]]);
});

test('a finished upload answers with its write, an incomplete one names the first missing part', async () => {
  const csv = Buffer.from('id,buyer\n1,Ann\n');
  const { id } = await start({ format: 'csv', size: csv.length });
  expect(await call('POST', `/${id}/writes`)).toMatchObject({
    status: 409,
    body: { code: 'upload-incomplete', detail: expect.stringContaining('the first of them is part 1') },
  });
  expect(await part(id, 1, csv.subarray(1))).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining(`Part 1 must have ${csv.length} bytes, but has ${csv.length - 1}`) },
  });
  expect((await part(id, 1, Buffer.concat([csv, csv]))).status).toBe(413);
  for (const number of [0, 2, '1x', '01', -1]) expect((await part(id, number, csv)).status).toBe(404);
  expect(await part(id, 1, csv)).toEqual({ status: 200, body: { number: 1, size: csv.length, sha256: hashOf(csv) } });
  const first = await call('POST', `/${id}/writes`, { body: { mode: 'replace' } });
  expect(first.status).toBe(202);
  const second = await call('POST', `/${id}/writes`, { body: { mode: 'replace' } });
  expect(second.body.id).toBe(first.body.id);
  expect(await s.client.writes.wait('dev', first.body.id)).toMatchObject({ status: 'succeeded', rows: 1 });
  expect((await part(id, 1, csv)).status).toBe(404);
});

test('an upload exists only for its requester, who needs WRITE_TABLE for every part (TABLE-11)', async () => {
  const { id } = await start({ format: 'csv', size: 10 });
  await s.client.principals.create({ name: 'loader', type: 'service-account' });
  const { token } = await s.client.tokens.issue('loader', 'test');
  expect((await part(id, 1, Buffer.alloc(10), token)).status).toBe(403);
  expect(await s.events('AUTHORIZATION_DENIED')).toMatchObject([
    { principal: 'loader', detail: { action: 'WRITE_TABLE' } },
  ]);
  const grant = {
    kind: 'TABLE',
    action: 'WRITE_TABLE',
    namespace: 'shop',
    table: 'orders',
    environment: 'dev',
  } as const;
  await s.client.grants.create({ ...grant, principal: 'loader' });
  expect((await part(id, 1, Buffer.alloc(10), token)).status).toBe(404);
  for (const method of ['GET', 'DELETE']) expect((await call(method, `/${id}`, { token })).status).toBe(404);
  expect((await call('GET', `/${id}`)).body).toMatchObject({ id, size: 10, parts: [] });
});

test('a cancelled upload is gone, and one that nobody continues expires after a day', async () => {
  const cancelled = await start({ format: 'csv', size: 10 });
  expect((await call('DELETE', `/${cancelled.id}`)).status).toBe(204);
  expect((await part(cancelled.id, 1, Buffer.alloc(10))).status).toBe(404);
  const left = await start({ format: 'csv', size: 10 });
  expect(new Date(left.expires_at).getTime() - now).toBe(24 * 3_600_000);
  now += 3_600_000;
  expect((await part(left.id, 1, Buffer.alloc(10))).status).toBe(200);
  const { body } = await call('GET', `/${left.id}`);
  expect(new Date(body.expires_at).getTime() - now).toBe(24 * 3_600_000);
});

test('parts count towards the storage quota until the file is loaded or the upload is cancelled', async () => {
  const used = async () => (await s.client.environments.quotas('dev')).storage_bytes.used;
  const before = await used();
  const { id } = await start({ format: 'csv', size: 10 });
  await s.client.environments.setQuotas('dev', { storage_bytes: before + 5, concurrent_queries: null });
  expect((await part(id, 1, Buffer.alloc(10))).status).toBe(200);
  expect(await used()).toBe(before + 10);
  expect((await call('POST', '', { body: { format: 'csv', size: 10 } })).body.code).toBe('quota-exceeded');
  expect((await part(id, 1, Buffer.alloc(10))).body['code']).toBe('quota-exceeded');
  expect((await call('DELETE', `/${id}`)).status).toBe(204);
  expect(await used()).toBe(before);
  await s.client.environments.setQuotas('dev', { storage_bytes: null, concurrent_queries: null });
});

test('what does not fit is refused before the first byte', async () => {
  const refused = async (body: object) => {
    const { status, body: problem } = await call('POST', '', { body });
    return [status, problem.errors?.[0]?.pointer];
  };
  expect(await refused({ format: 'xml', size: 1 })).toEqual([422, '/format']);
  expect(await refused({ format: 'csv', size: -1 })).toEqual([422, '/size']);
  expect(await refused({ format: 'csv', size: 1024 ** 4 + 1 })).toEqual([422, '/size']);
  expect(await refused({ format: 'csv', size: 1, fingerprint: '' })).toEqual([422, '/fingerprint']);
  expect(await refused({ format: 'csv', size: 1, mode: 'append' })).toEqual([422, '/mode']);
});
