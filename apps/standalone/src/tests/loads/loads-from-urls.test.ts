import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const CSV = 'id,zip,price\n1,01067,1.50\n2,20095,2.25\n';

let s: TestService;
let server: Server;
let base: string;
let requested: string[] = [];
/** A response that the test finishes. */
let slow: ServerResponse;
let arrived = () => {};
beforeAll(async () => {
  server = createServer((request, response) => {
    requested.push(request.url!);
    const path = request.url!.split('?')[0];
    if (path === '/exports/orders.csv') response.end(CSV);
    else if (path === '/exports/orders.csv.gz') response.end(gzipSync(CSV));
    else if (path === '/exports/moved.csv') response.writeHead(302, { Location: '/secret.csv' }).end();
    else if (path === '/exports/slow.csv') {
      slow = response;
      response.write(CSV);
      arrived();
    } else if (path === '/exports/broken.csv') {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write(CSV, () => response.destroy());
    } else response.writeHead(path === '/secret.csv' ? 200 : 404).end('id\n7\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  s = await startTestService({ SVC_LOADS__URLS: `${base}/exports/` });
  await s.client.environments.create('dev');
  await s.client.namespaces.create('dev', 'shop');
});
afterAll(async () => {
  await s.stop();
  server.close();
});
beforeEach(() => {
  requested = [];
});

let tables = 0;
async function newTable(): Promise<string> {
  const table = `shop.t${++tables}`;
  const columns = [
    { name: 'id', type: 'int', nullable: true },
    { name: 'zip', type: 'string', nullable: true },
    { name: 'price', type: 'decimal(9,2)', nullable: true },
  ];
  await s.client.tables.create('dev', table, { columns } as never);
  return table;
}

test.each(['orders.csv?signature=x', 'orders.csv.gz'])(
  'the service reads a file from a URL that the operator allows: %s (TABLE-21)',
  async (file) => {
    const table = await newTable();
    const { id } = await s.client.tables.load('dev', table, { url: `${base}/exports/${file}` }, { format: 'csv' });
    expect(await s.client.writes.wait('dev', id)).toMatchObject({ status: 'succeeded', rows: 2 });
    expect(await rowsOf(s.client, 'dev', `SELECT * FROM ${table} ORDER BY id`)).toEqual([
      [1, '01067', '1.50'],
      [2, '20095', '2.25'],
    ]);
    expect(requested).toEqual([`/exports/${file}`]);
  },
);

test('columns are inferred from a URL (TABLE-21)', async () => {
  const { columns } = await s.client.tables.infer(
    'dev',
    'shop',
    { url: `${base}/exports/orders.csv` },
    { format: 'csv' },
  );
  expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual(['id long', 'zip string', 'price double']);
});

test.each([
  ['/secret.csv', "isn't below a URL that the operator allows"],
  ['/exports/../secret.csv', "isn't below a URL that the operator allows"],
  ['/exports/moved.csv', "returned 302, and redirects aren't followed"],
  ['/exports/missing.csv', 'returned 404'],
  ['/exports/broken.csv', 'the connection failed'],
])('%s is refused, and nothing is loaded (TABLE-21)', async (path, message) => {
  const table = await newTable();
  const load = s.client.tables.load('dev', table, { url: `${base}${path}` }, { format: 'csv' });
  await expect(load).rejects.toMatchObject({ status: 422, message: expect.stringContaining(message) });
  expect(requested).not.toContain('/secret.csv');
  expect(await s.stored('staged')).toEqual([]);
});

test('if the caller leaves before the file has been read, nothing is loaded (TABLE-21)', async () => {
  const table = await newTable();
  const leaving = new AbortController();
  const reading = new Promise<void>((done) => {
    arrived = done;
  });
  const remote = { url: `${base}/exports/slow.csv` };
  const load = s.client.tables.load('dev', table, remote, { format: 'csv', signal: leaving.signal });
  await reading;
  const closed = new Promise((done) => slow.once('close', done));
  leaving.abort();
  await expect(load).rejects.toThrow();
  await closed;
  expect(await rowsOf(s.client, 'dev', `SELECT count(*) FROM ${table}`)).toEqual([[0]]);
});

test('a URL goes with an empty body, and repeats with the same key load once (TABLE-21)', async () => {
  const table = await newTable();
  const [namespace, name] = table.split('.');
  const url = encodeURIComponent(`${base}/exports/orders.csv`);
  const send = (body: string) =>
    fetch(`${s.url}/api/v1/environments/dev/namespaces/${namespace}/tables/${name}/writes?url=${url}`, {
      method: 'POST',
      headers: {
        Authorization: 'Bearer test-administrator-token',
        'Content-Type': 'text/csv',
        'Idempotency-Key': 'k1',
      },
      body,
    });
  expect((await send('id\n1\n')).status).toBe(422);
  const first = (await (await send('')).json()) as { id: string };
  const again = (await (await send('')).json()) as { id: string };
  expect(again.id).toBe(first.id);
  await s.client.writes.wait('dev', first.id);
  expect(await rowsOf(s.client, 'dev', `SELECT count(*) FROM ${table}`)).toEqual([[2]]);
});
