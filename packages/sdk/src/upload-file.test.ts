import { createHash } from 'node:crypto';
import { type NamedFile, SvcClient, type UploadFile } from './index.ts';
import { problem, type Reply, type ScriptedService, startService } from './testing/index.ts';

const MB = 1024 * 1024;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const AT = '/api/v1/environments/dev/namespaces/a/tables/b';

let service: ScriptedService;
afterEach(() => service.close());

/** A file that claims a size beyond one request, with a few bytes for each part. */
const file: UploadFile = {
  size: 130 * MB,
  slice: (start) => ({
    async *stream() {
      yield Buffer.from(`part at ${start / MB}`);
    },
  }),
};

async function load(parts: object[], answer: (n: number) => Reply) {
  let sent = 0;
  service = await startService(({ method, url, body }) => {
    if (method === 'PUT') {
      const reply = answer(++sent);
      return typeof reply.body !== 'string' ? reply : { body: { number: 1, size: body.length, sha256: reply.body } };
    }
    if (url.endsWith('/writes')) return { status: 202, body: { id: 'w' } };
    return { status: 201, body: { id: 'u', part_bytes: 64 * MB, parts } };
  });
  const client = new SvcClient({ url: service.url, token: 't' }, { pause: async () => {}, random: () => 0.5 });
  await client.tables.load('dev', 'a.b', file, { format: 'csv', mode: 'replace', watermark: '7', fingerprint: 'f' });
  return service.received.map(({ method, url, body }) => [method, url.replace(AT, ''), body]);
}

const put = (number: number, text: string) => ['PUT', `/uploads/u/parts/${number}`, text];

test('only missing parts are sent, and a part whose connection breaks again', async () => {
  const replies: Reply[] = [{ drop: true }, { body: hashOf('part at 0') }, { body: hashOf('part at 128') }];
  const arrived = [{ number: 2, size: 64 * MB, sha256: hashOf('part at 64') }];
  expect(await load(arrived, (n) => replies[n - 1]!)).toEqual([
    ['POST', '/uploads', JSON.stringify({ format: 'csv', fingerprint: 'f', size: 130 * MB })],
    put(1, 'part at 0'),
    put(1, 'part at 0'),
    put(3, 'part at 128'),
    ['POST', '/uploads/u/writes', '{"mode":"replace","watermark":"7"}'],
  ]);
});

test('several files are sent one after the other and loaded in one write', async () => {
  service = await startService(({ method, url, body }) => {
    if (method === 'PUT') return { body: { number: 1, size: body.length, sha256: hashOf(body) } };
    if (url.endsWith('/writes')) return { status: 202, body: { id: 'w' } };
    return { status: 201, body: { id: JSON.parse(body).name, part_bytes: 64 * MB, parts: [] } };
  });
  const client = new SvcClient({ url: service.url, token: 't' });
  const files = ['id\n1\n', '', 'id\n3\n'].map((text, i) => Object.assign(new Blob([text]), { name: `${i}.csv` }));
  const options = { format: 'csv', csv: { header: true } } as const;
  await client.tables.loadFiles('dev', 'a.b', files as NamedFile[], options);
  expect(service.received.map(({ url }) => url.replace(AT, ''))).toEqual([
    ...[
      '/uploads',
      '/uploads/0.csv/parts/1',
      '/uploads',
      '/uploads',
      '/uploads/2.csv/parts/1',
      '/uploads/0.csv/writes',
    ],
  ]);
  expect(JSON.parse(service.received.at(-1)!.body)).toEqual({ header: true, also: ['1.csv', '2.csv'] });
  await expect(client.tables.loadFiles('dev', 'a.b', [], options)).rejects.toThrow('at least one file');
});

test('a part that the service has from another version of the file is sent again', async () => {
  const texts = ['part at 0', 'part at 64', 'part at 128'];
  const arrived = texts.map((text, i) => ({ number: i + 1, size: 1, sha256: hashOf(i === 1 ? 'other' : text) }));
  expect((await load(arrived, () => ({ body: hashOf('part at 64') }))).slice(1, -1)).toEqual([put(2, 'part at 64')]);
});

test('a part that arrives damaged, and one that is refused, ends the upload', async () => {
  await expect(load([], () => ({ body: hashOf('something else') }))).rejects.toThrow('Part 1 arrived damaged.');
  await service.close();
  await expect(load([], () => problem(403, 'not-allowed'))).rejects.toThrow('Refused: not-allowed.');
  expect(service.received).toHaveLength(2);
});

test('a small Blob is sent in one request, which is repeated like that of any file', async () => {
  service = await startService((_, count) => (count === 1 ? { drop: true } : { status: 202, body: { id: 'w' } }));
  const client = new SvcClient({ url: service.url, token: 't' }, { pause: async () => {}, random: () => 0.5 });
  await client.tables.load('dev', 'a.b', new Blob(['id\n1\n']) as UploadFile, { format: 'csv' });
  expect(service.received.map(({ method, body }) => [method, body])).toEqual([
    ['POST', 'id\n1\n'],
    ['POST', 'id\n1\n'],
  ]);
});
