import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { svc } from '../testing/run-svc.ts';
import { type ServiceProcess, startServiceProcess, TOKEN } from '../testing/service-process.ts';

let service: ServiceProcess;
let folder: string;
let path: string;
beforeAll(async () => {
  service = await startServiceProcess();
  folder = await mkdtemp(join(tmpdir(), 'svc-access-'));
  path = join(folder, 'access.yaml');
  for (const command of [
    'env create prod',
    'ns create sales --env prod',
    'principal create ann --type person',
    'principal create eve --type person',
    'group create analysts',
    'group add-member analysts eve',
    'grant create --kind environment --principal eve --action RUN --env prod',
  ])
    expect(await run(...command.split(' '))).toMatchObject({ code: 0 });
}, 60_000);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
}, 60_000);

const run = (...argv: string[]) => svc(argv, { env: { SVC_URL: service.url, SVC_TOKEN: TOKEN } });
const apply = async (text: string, ...more: string[]) => {
  await writeFile(path, text);
  return run('access', 'apply', path, ...more);
};
const exported = async () => (await run('access', 'export')).stdout;

const WANTED = `groups:
  analysts: [ann]
  builders: [ann]
grants:
  - { principal: admin, role: ADMIN }
  - { group: analysts, role: ANALYST, environment: prod }
  - { group: builders, action: CREATE_TABLE, environment: prod, namespace: sales, expires_at: 2126-01-01T00:00:00Z }
`;

test('an exported file matches the instance', async () => {
  const { code, stdout, stderr } = await apply(await exported(), '--prune', '--dry-run');
  expect([code, stdout, stderr]).toEqual([0, '', 'Groups and grants match the file.\n']);
});

test('a dry run shows the changes and makes none; applying adds, and removes only with --prune', async () => {
  const before = await exported();
  const added = [
    '+ group builders',
    '+ member ann of group analysts',
    '+ member ann of group builders',
    '+ ANALYST on prod to group analysts',
    '+ CREATE_TABLE on prod/sales to group builders until 2126-01-01T00:00:00Z',
  ];
  const tried = await apply(WANTED, '--dry-run');
  expect(tried.stdout.trim().split('\n')).toEqual(added);
  expect(tried.stderr).toBe('5 to add.\n2 others are only on the instance. Add --prune to remove them.\n');
  expect(await exported()).toBe(before);

  const applied = await apply(WANTED);
  expect([applied.code, applied.stdout.trim().split('\n')]).toEqual([0, added]);
  expect((await apply(WANTED)).stdout).toBe('');

  const refused = await apply(WANTED, '--prune');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('Make 2 changes, of which 2 remove access? Add --yes to confirm');
  const pruned = await apply(WANTED, '--prune', '--yes');
  expect(pruned.stdout.trim().split('\n')).toEqual(['- RUN on prod to eve', '- member eve of group analysts']);
  expect(pruned.stderr).toContain('0 added, 2 removed.');
  expect(await exported()).toMatch(/^groups:\n {2}analysts:\n {4}- ann\n {2}builders:\n {4}- ann\ngrants:\n/);
});

test('nothing is changed if the file has an error or names what does not exist', async () => {
  const before = await exported();
  const invalid = await apply('grants:\n  - { principal: ann, role: OWNER }\n');
  expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining('line 2: grants.0.role: must be one of')]);
  const { code, stderr } = await apply(`
groups: { analysts: [ann, nobody] }
grants:
  - { principal: ann, action: READ_TABLE, environment: prod, namespace: sales, table: gone }
  - { principal: ann, action: RUN, environment: prod }
`);
  expect(code).toBe(2);
  for (const text of ['no principal nobody', 'no prod/sales/gone']) expect(stderr).toContain(text);
  expect((await run('access', 'apply', join(folder, 'absent.yaml'))).stderr).toContain("absent.yaml can't be read");
  expect(await exported()).toBe(before);
});

test('the last administrator stays, and the changes before are reported', async () => {
  const { code, stdout, stderr } = await apply('groups: { analysts: [ann] }\ngrants: []\n', '--prune', '--yes');
  expect(code).toBe(5);
  expect(stderr).toContain('The next one failed: - ADMIN on the instance to admin');
  expect(stderr).toContain('no active administrator');
  expect(stdout).not.toContain('ADMIN');
  const json = JSON.parse((await run('-o', 'json', 'access', 'apply', path, '--dry-run')).stdout);
  expect(json).toMatchObject({ applied: false, changes: [] });
  expect(await readFile(path, 'utf8')).toContain('grants: []');
});
