import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedService, startService } from '@svc/sdk/testing';
import { query } from '../testing/records.ts';
import { svc } from '../testing/run-svc.ts';

const columns = [
  { name: 'id', type: 'long' },
  { name: 'note', type: 'string' },
];
const pages = [
  { columns, rows: [[1, 'a']], next_cursor: 'second' },
  { columns, rows: [[2, null]], next_cursor: null },
];

let service: ScriptedService;
beforeAll(async () => {
  service = await startService(({ url }) => {
    if (!url.includes('/results')) return { body: query };
    return { body: pages[url.includes('cursor=second') ? 1 : 0] };
  });
});
afterAll(() => service.close());
const call = (...argv: string[]) => {
  service.received.length = 0;
  return svc([...argv, '--env', 'prod'], { url: service.url });
};

test.each([
  ['sql', ['sql', 'select 1']],
  ['query results', ['query', 'results', query.id]],
])('svc %s --format json prints what --output json prints (CLI-11)', async (_, argv) => {
  const expected = await call(...argv, '--output', 'json');
  expect(JSON.parse(expected.stdout)).toEqual({ query, ...pages[0] });
  for (const option of [['--format', 'json'], ['--json']]) expect(await call(...argv, ...option)).toEqual(expected);
});

describe('-o ndjson prints one object per row (CLI-12)', () => {
  test('of the whole result, page by page', async () => {
    const { code, stdout, stderr } = await call('sql', 'select 1', '-o', 'ndjson');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('{"id":1,"note":"a"}\n{"id":2,"note":null}\n');
  });

  test('of one page with --limit, and the command for the next page', async () => {
    const { stdout, stderr } = await call('query', 'results', query.id, '--limit', '1', '-o', 'ndjson');
    expect(stdout).toBe('{"id":1,"note":"a"}\n');
    expect(stderr).toContain('More results: svc --output ndjson query results ');
  });
});

test('--format stays a file format where files are read (CLI-11)', async () => {
  const outcome = await svc(['table', 'load', 'a.b', '-', '--format', 'json', '--env', 'prod'], { url: service.url });
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('csv, ndjson, parquet') });
  const before = await svc(['--format', 'json', 'table', 'load', 'a.b', 'x.txt', '--env', 'prod']);
  expect(before.stderr).toContain("Can't detect the format of x.txt");
});

describe('the format of a file', () => {
  test('is that of its extension, unless it is chosen', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-results-'));
    for (const argv of [
      ['--file', 'rows.CSV'],
      ['--file', 'rows.csv', '--format', 'arrow'],
    ]) {
      const { code } = await call('sql', 'select 1', ...argv.with(1, join(folder, argv[1]!)));
      expect(code).toBe(0);
      expect(service.received.at(-1)?.url).toContain(`format=${argv[3] ?? 'csv'}`);
    }
    await rm(folder, { recursive: true });
  });

  test.each<[string[], string]>([
    [
      ['--file', 'rows.xlsx'],
      "Error: Can't detect the format of rows.xlsx from its extension. Add --format csv, parquet or arrow.\n",
    ],
    [['--file', 'rows.csv', '--format', 'table'], 'Error: --file requires --format csv, parquet or arrow.\n'],
    [
      ['--file', 'rows.parquet', '--raw'],
      'Error: --raw requires --format csv. The other formats always contain exact values.\n',
    ],
  ])('%p is rejected before the query is sent', async (argv, stderr) => {
    expect(await call('sql', 'select 1', ...argv)).toMatchObject({ code: 2, stderr });
    expect(service.received).toEqual([]);
  });
});

describe('svc sql shows where a statement is wrong', () => {
  const detail = 'The column "nme" doesn\'t exist.';
  const sql = 'SELECT nme FROM shop.orders';
  const failing = async (remedy: string | null, ...options: string[]) => {
    const error = { code: 'execution-error', detail, remedy };
    const failed = await startService(() => ({ body: { ...query, sql_text: sql, status: 'FAILED', error } }));
    const outcome = await svc(['sql', sql, '--env', 'prod', ...options], { url: failed.url });
    await failed.close();
    return outcome;
  };

  test('with a caret below the position, before the next command', async () => {
    const position = `Error: ${detail}\n  ${sql}\n         ^\n`;
    expect(await failing(null)).toMatchObject({ code: 1, stderr: position });
    expect(await failing('svc table get shop.orders')).toMatchObject({
      code: 1,
      stderr: `${position}Next: svc table get shop.orders\n`,
    });
  });

  test('and leaves it out of JSON', async () => {
    expect(JSON.parse((await failing(null, '--output', 'json')).stderr)).toMatchObject({ detail });
  });
});
