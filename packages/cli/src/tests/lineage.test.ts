import { type ScriptedService, startService } from '@svc/sdk/testing';
import { svc } from '../testing/run-svc.ts';

const NOT_BUILT = { input_snapshot_id: null, columns: null, run_id: null, project_version_id: null, built_at: null };
const BUILT = {
  ...{ input_snapshot_id: 42, run_id: '01997c2e-7b7a-7c1e-8000-000000000001' },
  ...{ project_version_id: '01997c2e-7b7a-7c1e-8000-000000000002', built_at: '2026-02-01T08:00:00.000Z' },
};
const LINEAGE = {
  ...{ table: 'marts.total', kind: 'managed', repository: 'shop' },
  upstream: [
    { name: 'raw.a\u001b[2J', kind: 'managed', repository: null, depth: 1 },
    { name: 'raw.python', kind: null, repository: 'shop', depth: 1 },
  ],
  downstream: [{ name: 'marts.report', kind: 'view', repository: 'shop', depth: 1 }],
  edges: [
    {
      ...{ input: 'marts.total', output: 'marts.report', declared: true, read: true, ...BUILT },
      columns: [{ input: 'Total', output: 'shown' }],
    },
    {
      ...{ input: 'raw.a\u001b[2J', output: 'marts.total', declared: true, read: true, ...BUILT },
      columns: [
        { input: 'amount', output: 'Total' },
        { input: 'day', output: 'day' },
      ],
    },
    { ...{ input: 'raw.python', output: 'marts.total', declared: true, read: false }, ...NOT_BUILT },
  ],
  truncated: true,
};

let service: ScriptedService;
let body: unknown = LINEAGE;
beforeAll(async () => {
  service = await startService(() => ({ body }));
});
afterAll(() => service.close());

const lineage = (argv: string[], columns = 120) =>
  svc(['lineage', 'marts.total', '--env', 'dev', ...argv], { url: service.url, columns });

test.each([40, 120])('shows the tables at %i columns', async (columns) => {
  const { code, stdout, stderr } = await lineage(['--depth', '2', '--direction', 'both'], columns);
  expect(code).toBe(0);
  expect(`${stdout}--- standard error\n${stderr}`).toMatchSnapshot();
  expect(service.received.at(-1)!.url).toBe(
    '/api/v1/environments/dev/lineage?table=marts.total&direction=both&depth=2',
  );
});

test('shows the columns one step from a column, and between which tables they are unknown', async () => {
  const { code, stdout, stderr } = await lineage(['--column', 'total']);
  expect(code).toBe(0);
  expect(`${stdout}--- standard error\n${stderr}`).toMatchSnapshot();
  expect((await lineage(['--column', 'nope'])).stderr).toContain('No other columns that you can see: marts.total.nope');
});

test('a table without a lineage says so', async () => {
  body = { ...LINEAGE, upstream: [], downstream: [], edges: [], truncated: false };
  const { code, stderr } = await lineage([]);
  expect([code, stderr]).toEqual([0, 'No other tables that you can see.\n']);
});

test('as JSON it is the whole response (CLI-2)', async () => {
  body = LINEAGE;
  for (const more of [[], ['--column', 'total']]) {
    const { stdout, stderr } = await lineage(['-o', 'json', ...more]);
    expect([JSON.parse(stdout), stderr]).toEqual([LINEAGE, '']);
  }
});

test.each([[['--depth', '0']], [['--depth', '51']], [['--direction', 'up']]])('%j is a usage error', async (argv) => {
  expect((await lineage(argv)).code).toBe(2);
});
