import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedService, startService } from '@svc/sdk/testing';
import { deploy, query, run } from '../testing/records.ts';
import { svc } from '../testing/run-svc.ts';

let service: ScriptedService;
let ticks: number;
afterEach(() => service.close());

/** A terminal whose clock advances two seconds each time it is read. */
const onTerminal = () => {
  ticks = 0;
  return { confirms: true, now: () => new Date(Date.UTC(2026, 2, 1) + 2000 * ticks++) };
};
const LINE = '\r\u001b[2K';

async function statement(value: object) {
  let polls = 0;
  service = await startService(({ method, url }) => {
    if (method === 'POST') return { status: 201, body: { ...query, status: 'QUEUED', progress: null } };
    if (url.includes('/results')) return { body: { columns: [], rows: [], next_cursor: null } };
    polls += 1;
    return { body: { ...query, ...(polls < 3 ? { status: 'RUNNING', progress: 0.4 } : {}) } };
  });
  return svc(['sql', 'select 1', '--env', 'prod'], { url: service.url, ...value });
}

test('on a terminal a query shows its progress in a line that disappears', async () => {
  const { code, stdout, stderr } = await statement(onTerminal());
  expect(code).toBe(0);
  expect(stderr).toMatch(/Running, 40 % … \d+ s/);
  expect(stderr.lastIndexOf(LINE)).toBeGreaterThan(stderr.lastIndexOf(' … '));
  expect(stdout).not.toContain('…');
});

test('a load shows how much of its rows has been read (CLI-22)', async () => {
  let polls = 0;
  const write = { id: query.id, table: 'sales.orders', mode: 'append', status: 'running', rejected: null, csv: null };
  service = await startService(({ method }) => {
    const state = polls++ > 2 ? { status: 'succeeded', rows: 1, ended_at: query.created_at } : { ended_at: null };
    const body = { ...write, rows: null, progress: 0.25, error: null, created_at: query.created_at, ...state };
    return { status: method === 'POST' ? 202 : 200, body };
  });
  const argv = ['table', 'load', 'sales.orders', '-', '--format', 'csv', '--env', 'prod'];
  const { stdout, stderr } = await svc(argv, { url: service.url, stdin: 'id\n1\n', ...onTerminal() });
  expect(stderr).toMatch(/Loading into sales\.orders, 25 % … \d+ s/);
  expect(stdout).toContain('Loaded 1 row into sales.orders');
});

test('without a terminal there is no progress line', async () => {
  expect((await statement({})).stderr).not.toContain('…');
});

test('a run shows what it builds, and the lines of its tasks stay', async () => {
  let polls = 0;
  service = await startService(({ method }) => {
    const at = { ...run, status: polls++ < 2 ? 'running' : 'succeeded' };
    const tasks = run.tasks.map((task) => ({ ...task, status: polls < 3 ? 'running' : 'succeeded', error: null }));
    return { status: method === 'POST' ? 201 : 200, body: { ...at, tasks } };
  });
  const { stderr } = await svc(['job', 'run', 'nightly', '--env', 'prod'], { url: service.url, ...onTerminal() });
  expect(stderr).toMatch(/Running 0 of 2: sales\.orders, sales\.report … \d+ s/);
  expect(stderr).toContain('succeeded sales.orders');
});

test('a line is never wider than the terminal', async () => {
  const { stderr } = await statement({ ...onTerminal(), columns: 12 });
  for (const line of stderr.split(LINE)) expect(line.split('\n')[0]!.length).toBeLessThan(12);
});

test('sent and written bytes are counted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-progress-'));
  service = await startService(({ url }) => {
    if (url.endsWith('/bundles')) return { status: 201, body: { bundle_id: 'b' } };
    if (url.includes('/results')) return { body: 'a\r\n1\r\n' };
    return { body: url.includes('/queries') ? query : deploy };
  });
  await writeFile(join(folder, 'svc.yaml'), 'name: shop\n');
  const deployed = await svc(['deploy', folder, '--env', 'prod', '--repo', 'shop'], {
    url: service.url,
    ...onTerminal(),
  });
  expect(deployed.code).toBe(0);
  expect(deployed.stderr).toMatch(/Sending 1 file: \d+ B … \d+ s/);
  const file = join(folder, 'rows.csv');
  const argv = ['query', 'results', query.id, '--env', 'prod', '--format', 'csv', '--file', file];
  const written = await svc(argv, { url: service.url, ...onTerminal() });
  expect(written).toMatchObject({ code: 0, stderr: expect.stringContaining(`Wrote 2 rows to ${file}.`) });
  expect(await readFile(file, 'utf8')).toBe('a\r\n1\r\n');
  await rm(folder, { recursive: true });
});
