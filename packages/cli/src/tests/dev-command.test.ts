import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedService, startService } from '@svc/sdk/testing';
import { devNamespaceOf } from '../project-folder/dev-build.ts';
import { deploy, run } from '../testing/records.ts';
import { type RunOptions, svc } from '../testing/run-svc.ts';

const HERE = '/api/v1/environments/prod';
const ADDED = { name: 'marts.total', kind: 'table', columns: null };
const CHANGED = { name: 'core.orders', kind: 'view', changes: ['sql'], columns: null };

let service: ScriptedService;
let folder: string;
let checked: object;
let onRun: () => object | undefined;
beforeAll(async () => {
  service = await startService(({ url, method }) => {
    const { pathname } = new URL(url, 'http://x');
    if (pathname === '/api/v1/me') return { body: { id: run.id, name: 'Ann O.', type: 'person', active: true } };
    if (pathname === `${HERE}/bundles`) return { status: 201, body: { bundle_id: deploy.id } };
    if (pathname.startsWith(`${HERE}/deploys`)) return { status: method === 'POST' ? 202 : 200, body: checked };
    const problem = method === 'POST' ? onRun() : undefined;
    if (problem !== undefined) return { status: 409, body: problem };
    return { status: method === 'POST' ? 201 : 200, body: run };
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  checked = { ...deploy, dry_run: true, warnings: [], assets: { added: [ADDED], removed: [], changed: [CHANGED] } };
  onRun = () => undefined;
  folder = await mkdtemp(join(tmpdir(), 'svc-dev-'));
  await writeFile(join(folder, 'svc.yaml'), 'name: shop\n');
});
afterEach(() => rm(folder, { recursive: true }));

const call = (argv: string[], options: RunOptions = {}) => {
  service.received.length = 0;
  return svc(['dev', folder, ...argv, '--env', 'prod'], { url: service.url, ...options });
};
const sent = (path: string) =>
  service.received
    .filter(({ url, method }) => method === 'POST' && url === `${HERE}/${path}`)
    .map(({ body }) => JSON.parse(body));

test('svc dev builds what differs from the deployed version in the namespace of its caller (CLI-36)', async () => {
  const { code, stdout, stderr } = await call([]);
  expect(code).toBe(0);
  expect(sent('deploys')).toEqual([
    { repository: 'shop', bundle_id: deploy.id, dry_run: true, dev_namespace: 'dev_ann_o_' },
  ]);
  expect(sent('runs')).toEqual([
    { repository: 'shop', project_version_id: deploy.project_version_id, select: ['marts.total', 'core.orders'] },
  ]);
  expect(stderr).toContain('Different from the deployed version: 2 assets.');
  expect(stderr).toContain("svc sql 'SELECT * FROM sales.orders LIMIT 20' --env prod");
  expect(stdout).toContain(`Run ${run.id} succeeded`);
});

test('options name the namespace and the assets (CLI-36)', async () => {
  const argv = ['--namespace', 'dev.ann', '--select', 'marts.*', '--downstream', '--full-refresh', '--repo', 'x'];
  expect(await call(argv)).toMatchObject({ code: 0 });
  expect(sent('deploys')).toMatchObject([{ repository: 'x', dev_namespace: 'dev.ann' }]);
  expect(sent('runs')).toMatchObject([{ select: ['marts.*'], downstream: true, full_refresh: true }]);
});

test('if no asset differs, it says so and runs nothing (CLI-36)', async () => {
  checked = { ...checked, assets: { added: [], removed: [ADDED], changed: [] } };
  const { code, stdout } = await call([]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'No asset differs from the deployed version. Name assets with --select to build them.\n',
  });
  expect(sent('runs')).toEqual([]);
});

test('the errors of a deploy stop it (CLI-36)', async () => {
  const error = { code: 'invalid-project', detail: 'assets/a.sql:1: no SELECT', remedy: 'write a SELECT' };
  checked = { ...checked, status: 'failed', error };
  expect(await call([])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Error: assets/a.sql:1: no SELECT\nNext: write a SELECT\n',
  });
  expect(sent('runs')).toEqual([]);
});

test('with --watch it builds again after each change, also after an error, until Ctrl-C (CLI-36)', async () => {
  let runs = 0;
  onRun = () => {
    runs += 1;
    if (runs < 3) writeFileSync(join(folder, `${runs}.sql`), 'SELECT 1');
    return runs === 2 ? { code: 'project-busy', detail: 'The project is busy.' } : undefined;
  };
  const { code, stderr } = await call(['--watch'], { interruptsPause: 5 });
  expect(code).toBe(130);
  expect(runs).toBe(3);
  expect(stderr).toMatch(/Error: .*\nWaiting for changes/);
  expect(stderr).toMatch(/Stopped watching\.\n$/);
});

test.each([
  ['ann', 'dev_ann'],
  ['Ann.Smith@example.org', 'dev_ann_smith_example_org'],
  ['日本', 'dev__'],
])('the default namespace of %s is %s (CLI-36)', (name, expected) => expect(devNamespaceOf(name)).toBe(expected));
