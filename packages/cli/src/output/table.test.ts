import { stripVTControlCharacters } from 'node:util';
import { type ScriptedService, startService } from '@svc/sdk/testing';
import { jobs, packageIndex, query, run } from '../testing/records.ts';
import { type RunOptions, svc } from '../testing/run-svc.ts';
import { renderTable, type TableColumn } from './table.ts';

interface Row {
  name: string;
  note: string;
  text: string;
}
const COLUMNS: readonly TableColumn<Row>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'note', cell: ({ note }) => note, hide: 1 },
  { header: 'text', cell: ({ text }) => text, hide: 2 },
];
const rows = [{ name: 'x'.repeat(30), note: 'n'.repeat(25), text: 't'.repeat(40) }];

describe('a table that is too wide (CLI-6)', () => {
  const at = (width: number, columns = COLUMNS) => renderTable(columns, rows, width);

  test('shortens its widest column, but not the one that names the row', () => {
    const { text, hidden } = at(90);
    expect(hidden).toEqual([]);
    expect(text.split('\n')[1]).toBe(`${rows[0]!.name}  ${rows[0]!.note}  ${'t'.repeat(30)}…`);
  });

  test('shortens more columns before it hides one', () => {
    expect(at(74).text.split('\n')[1]).toBe(`${'x'.repeat(30)}  ${'n'.repeat(19)}…  ${'t'.repeat(19)}…`);
    expect(at(73)).toMatchObject({ hidden: ['note'], text: expect.stringContaining('t'.repeat(40)) });
    expect(at(40).hidden).toEqual(['note', 'text']);
  });

  test('shows the ends of ids before it shortens or hides a column', () => {
    const id = '01a226a5-52fc-7427-9a9c-6ca7c2a8ffb3';
    const columns = [{ header: 'id', cell: () => id, id: true }, ...COLUMNS];
    expect(at(137, columns).text).toContain(id);
    const { text, hidden } = at(113, columns);
    expect(hidden).toEqual([]);
    expect(text.split('\n')[1]).toBe(`6ca7c2a8ffb3  ${Object.values(rows[0]!).join('  ')}`);
  });

  test('hides a column that is never shortened', () => {
    const columns = COLUMNS.map((column) => ({ ...column, whole: true }));
    expect(at(90, columns).hidden).toEqual(['note']);
  });

  test('counts wide characters', () => {
    const wide = [{ ...rows[0]!, name: 'a', note: '' }];
    const { text } = renderTable(COLUMNS, [{ ...wide[0]!, text: '数'.repeat(20) }], 33);
    expect(text.split('\n')[1]).toBe(`a           ${'数'.repeat(10)}…`);
  });
});

describe('--columns (CLI-13)', () => {
  let service: ScriptedService;
  beforeAll(async () => {
    const bodies: Record<string, unknown> = { runs: [run], jobs, 'package-indexes': [packageIndex] };
    service = await startService(({ url }) => ({ body: bodies[/([a-z-]+)(\?.*)?$/.exec(url)![1]!] }));
  });
  afterAll(() => service.close());
  const list = (argv: string[], columns?: number) => svc(argv, { url: service.url, ...(columns ? { columns } : {}) });
  const RUNS = ['runs', 'list', '--env', 'prod'];

  test('selects columns in an order', async () => {
    const { stdout } = await list([...RUNS, '--columns', 'status,Scheduled For,id']);
    expect(stdout.split('\n')[0]!.split(/ {2,}/)).toEqual(['status', 'scheduled for', 'id']);
  });

  test('hides none of them on a narrow terminal', async () => {
    const { stdout, stderr } = await list(['job', 'list', '--env', 'prod', '--columns', 'triggers,next-run'], 20);
    expect(stdout).toMatch(/^triggers +next run\n/);
    expect(stderr).toBe('');
  });

  test('names the columns of the list if one is unknown', async () => {
    const { code, stderr } = await list(['index', 'list', '--columns', 'name,address']);
    expect(code).toBe(2);
    expect(stderr).toBe('Error: Unknown column "address" for --columns. Available columns: name, url, secret.\n');
  });

  test('is not for JSON', async () => {
    expect(await list([...RUNS, '--columns', 'id', '--json'])).toMatchObject({ code: 2, stdout: '' });
  });

  test('is offered where columns are hidden', async () => {
    const { stderr } = await list(RUNS, 80);
    expect(stderr).toMatch(/^Columns hidden at 80 characters: .* \(widen the terminal or use --columns\)\n$/);
  });
});

describe('states in tables have a color (CLI-17)', () => {
  let service: ScriptedService;
  let body: unknown;
  beforeAll(async () => {
    service = await startService(() => ({ body }));
  });
  afterAll(() => service.close());
  const list = (argv: string[], rows: unknown, options: RunOptions = {}) => {
    body = rows;
    return svc([...argv, '--env', 'prod'], { url: service.url, terminal: true, ...options });
  };
  const runs = ['succeeded', 'running', 'failed'].map((status) => ({ ...run, status }));

  test('on a terminal, without moving the columns', async () => {
    const { stdout } = await list(['runs', 'list'], runs);
    for (const text of ['\u001b[32msucceeded\u001b[39m', '\u001b[33mrunning\u001b[39m', '\u001b[31mfailed\u001b[39m'])
      expect(stdout).toContain(text);
    const plain = await list(['runs', 'list'], runs, { terminal: false });
    expect(plain.stdout).not.toContain('\u001b');
    expect(stripVTControlCharacters(stdout)).toBe(plain.stdout);
  });

  test('for jobs and queries, in any letter case', async () => {
    expect((await list(['job', 'list'], jobs)).stdout).toContain('\u001b[31mno run principal\u001b[39m');
    expect((await list(['query', 'list'], [query])).stdout).toContain('\u001b[32mSUCCEEDED\u001b[39m');
  });

  test('not with NO_COLOR, and never in JSON', async () => {
    const without = await list(['runs', 'list'], runs, { env: { NO_COLOR: '1' } });
    expect(without.stdout).not.toContain('\u001b');
    expect(JSON.parse((await list(['runs', 'list', '--json'], runs)).stdout)).toEqual(runs);
  });
});
