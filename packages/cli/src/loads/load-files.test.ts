import { appendFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startService } from '@svc/sdk/testing';
import { type RunOptions, svc } from '../testing/run-svc.ts';
import { type ServiceProcess, startServiceProcess, TOKEN } from '../testing/service-process.ts';

let service: ServiceProcess;
let folder: string;
beforeAll(async () => {
  service = await startServiceProcess();
  folder = await mkdtemp(join(tmpdir(), 'svc-cli-load-'));
  for (const argv of [
    ['env', 'create', 'dev'],
    ['ns', 'create', 'sales'],
    ['table', 'create', 'sales.orders', '--column', 'id:long!', '--column', 'amount:decimal(10,2)'],
  ])
    await run(argv);
}, 60_000);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
}, 60_000);

const run = (argv: string[], options: RunOptions = {}) =>
  svc(argv, { ...options, env: { SVC_URL: service.url, SVC_TOKEN: TOKEN, SVC_ENV: 'dev' } });

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
  return path;
}

const load = (files: string[], ...options: string[]) =>
  run(['table', 'load', 'sales.orders', ...files, '--mode', 'replace', ...options]);
const rows = async () => {
  const { stdout } = await run(['-o', 'json', 'sql', 'select id, amount from sales.orders order by id']);
  return (JSON.parse(stdout) as { rows: unknown[] }).rows;
};

test('several files and patterns are loaded in one write (CLI-23)', async () => {
  await file('many/2.csv', 'amount,id\n2.5,2\n');
  const one = await file('many/1.csv.gz', gzipSync('id,amount\n1,1.5\n'));
  const ran = await load([join(folder, 'many/*.csv'), one]);
  expect(ran).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Loaded 2 rows into sales\.orders \(replace\)/),
  });
  expect(await rows()).toEqual([
    [1, '1.50'],
    [2, '2.50'],
  ]);
  const broken = await file('many/3.csv', 'id,amount\nx,1\n');
  const failed = await load([one, broken]);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('3.csv: Line 2, column "id": "x" isn\'t') });
  expect(await rows()).toHaveLength(2);
});

test('CSV is detected, and a note says as what it was read (CLI-24)', async () => {
  const european = await file('european.csv', Buffer.from('\ufeff1;1,5\n2;"2,5"\n', 'utf16le'));
  const ran = await load([european], '--decimal-separator', ',');
  expect(ran).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Detected in the CSV file: delimiter ";", no header row, utf-16.'),
  });
  expect(await rows()).toEqual([
    [1, '1.50'],
    [2, '2.50'],
  ]);
  expect(await load([european], '--no-detect')).toMatchObject({ code: 1 });
  const plain = await load([await file('plain.csv', 'id\n1\n')]);
  expect(plain.stderr).not.toContain('Detected');
});

test('a table is created from CSV that differs from RFC 4180, as it was detected (CLI-24)', async () => {
  const weather = await file('weather.csv', 'day;rain\n2026-01-31;1,5\n');
  const create = ['table', 'create', 'sales.weather', '--from', weather, '--decimal-separator', ','];
  expect(await run(create)).toMatchObject({ code: 0, stderr: expect.stringContaining('day date, rain double') });
  const { stdout } = await run(['-o', 'json', 'sql', 'select * from sales.weather']);
  expect(JSON.parse(stdout)).toMatchObject({ rows: [['2026-01-31', 1.5]] });
});

test('lines that are left out are saved next to the file (CLI-24)', async () => {
  const lines = await file('lines.csv', 'id,amount\n1,1.5\nx,2\n3\n4,4\n');
  const skip = ['--on-error', 'skip'];
  for (const saved of [`${lines}.rejected`, `${lines}.rejected-2`]) {
    const ran = await load([lines], ...skip);
    expect(ran).toEqual({ code: 0, stderr: expect.any(String), stdout: expect.stringContaining('Loaded 2 rows') });
    expect(ran.stderr).toContain(`Left out 2 lines that can't be loaded: see ${saved}`);
    expect(await readFile(saved, 'utf8')).toBe(
      `file,line,column,reason,text\n,3,id,"""x"" isn't a valid long.","x,2"\n` +
        ',4,,"The row has 1 values, but the header has 2 columns.",3\n',
    );
  }
  const queued = await run(['-o', 'json', 'table', 'load', 'sales.orders', lines, ...skip, '--no-wait']);
  const { id } = JSON.parse(queued.stdout) as { id: string };
  await run(['api', 'GET', `environments/dev/writes/${id}?wait=60`]);
  expect((await run(['write', 'show', id])).stdout).toMatch(/rejected: +2/);
  const left = await run(['write', 'rejected', id]);
  expect(left.stdout.split('\n')).toHaveLength(4);
  const failed = await load([lines], ...skip, '--max-errors', '1');
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("More than 1 line can't be loaded") });
  expect((await readdir(folder)).filter((name) => name.includes('rejected'))).toHaveLength(2);
});

test('a file that changes while it is read is not loaded (CLI-23)', async () => {
  const [first, second] = [await file('changes.csv', 'id\n1\n'), await file('stays.csv', 'id\n2\n')];
  const scripted = await startService(({ url }) => {
    if (!url.endsWith('/uploads')) return { status: 500 };
    appendFileSync(first, '3\n');
    return { status: 201, body: { id: 'u', part_bytes: 1 << 26, parts: [] } };
  });
  try {
    const env = { SVC_URL: scripted.url, SVC_TOKEN: 't', SVC_ENV: 'dev' };
    const ran = await svc(['table', 'load', 'sales.orders', first, second], { env });
    expect(ran).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('changed while it was read') });
    expect(scripted.received.filter(({ url }) => url.endsWith('/writes'))).toEqual([]);
  } finally {
    await scripted.close();
  }
});

test.each([
  [['a.csv', 'b.parquet'], [], 'b.parquet is parquet, but '],
  [['a.csv'], ['--max-errors', '5'], '--max-errors is for --on-error skip.'],
  [['b.parquet'], ['--on-error', 'skip'], '--on-error skip is for CSV and NDJSON.'],
  [['c.ndjson'], ['--delimiter', ';'], '--delimiter is for CSV, but the file is ndjson.'],
  [['*.none'], [], 'No file matches '],
  [['missing.csv'], [], "missing.csv doesn't exist."],
])('%j %j is a usage error', async (names, options, message) => {
  const { code, stderr } = await load(
    names.map((name) => join(folder, name)),
    ...options,
  );
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});

test('a URL is not read by the command, but by the service, which must allow it (TABLE-21)', async () => {
  const url = 'https://data.example.com/exports/orders.csv?signature=*';
  const refused = { code: 2, stderr: expect.stringContaining("isn't below a URL that the operator allows") };
  expect(await load([url])).toMatchObject(refused);
  expect(await run(['table', 'create', 'sales.remote', '--from', url])).toMatchObject(refused);
  expect(await load([url, 'other.csv'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("A URL can't be combined with files."),
  });
});
