import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyWorkspace, EXAMPLES, MIGRATION, type WorkspaceCopy } from '../../testing/recipes/index.ts';
import { makeServiceHome, type ServiceHome, startServiceProcess } from '../../testing/service-process.ts';
import { TOKEN } from '../../testing/test-service.ts';

// Runs the recipes of CONTRIBUTING.md completely: the migration is written, everything is generated and type-checked, and
// the service runs with the new route, column, commands and setting.

let copy: WorkspaceCopy;
let home: ServiceHome;
beforeAll(async () => {
  copy = await copyWorkspace();
  home = await makeServiceHome();
});
afterAll(async () => {
  await home.remove();
  await copy.remove();
});

test('the migration of the recipe is the one that the command writes', async () => {
  const [migration, ...others] = EXAMPLES['Add a column']!.toSorted((a) => (a.path === MIGRATION ? -1 : 1));
  for (const edits of Object.values({ ...EXAMPLES, 'Add a column': others })) copy.apply(edits);
  await copy.run(['scripts/schema/migration.mjs', 'add_note_to_repositories']);
  const [written] = readdirSync(join(copy.folder, 'prisma/migrations')).filter((name) => /add_note/.test(name));
  const text = copy.read(`prisma/migrations/${written}/migration.sql`).replaceAll('"', '').replace(/^--.*/gm, '');
  expect(text.replace(/\s+/g, ' ').trim().toLowerCase()).toBe(String(migration!.change).trim().toLowerCase());
});

test('everything is generated and type-checked', async () => {
  const prisma = join(copy.folder, 'packages/db/node_modules/prisma/build/index.js');
  await copy.run([prisma, 'generate'], { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' });
  // Some generators read the files that git knows.
  await copy.execute('git', ['init', '--quiet']);
  await copy.execute('git', ['add', '--all']);
  await copy.run(['scripts/generate.mjs']);
  for (const name of ['core', 'db', 'api', 'sdk', 'cli'])
    await copy.run(['node_modules/typescript/bin/tsc', '-p', `packages/${name}/tsconfig.json`, '--noEmit']);
});

test('both Python clients make the call of the vectors', async () => {
  const tests = ['pytest', 'packages/sdk-python/tests/test_vectors.py', '-k', 'repositories'];
  const uv = process.env['SVC_RUN__UV'] ?? 'uv';
  const output = await copy.execute(uv, [
    'run',
    '--no-project',
    '--with-editable',
    'packages/sdk-python[test]',
    ...tests,
  ]);
  expect(output).toMatch(/\d+ passed/);
});

test('a service has the route, the column and the setting', async () => {
  const main = join(copy.folder, 'apps/standalone/src/main.ts');
  const start = (settings: Record<string, string>) =>
    startServiceProcess(
      home,
      settings,
      [process.execPath, '--import', './scripts/typescript.mjs', '--conditions=@svc/source', main],
      copy.folder,
    );
  const svc = async (url: string, ...argv: string[]) => {
    const program = `
      const { svc } = await import('./packages/cli/src/testing/run-svc.ts');
      const env = { SVC_URL: ${JSON.stringify(url)}, SVC_TOKEN: ${JSON.stringify(TOKEN)} };
      console.log(JSON.stringify(await svc(${JSON.stringify(argv)}, { env })));`;
    return JSON.parse(await copy.run(['--input-type=module', '--eval', program])) as { code: number; stdout: string };
  };
  const service = await start({});
  await service.ready;
  expect(await svc(service.url, 'repository', 'add', 'shop')).toMatchObject({ code: 0 });
  const { stdout } = await svc(service.url, '--output', 'json', 'repository', 'rename', 'shop', 'store');
  expect(JSON.parse(stdout)).toMatchObject({ name: 'store', note: null });
  await service.stop();

  const strict = await start({ SVC_REPOSITORIES__ALLOW_RENAMING: 'false' });
  await strict.ready;
  expect(await svc(strict.url, 'repository', 'rename', 'store', 'shop')).toMatchObject({ code: 4 });
  await strict.stop();
});
