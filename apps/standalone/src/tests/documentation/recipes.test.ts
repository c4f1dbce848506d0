import { copyWorkspace, EXAMPLES, recipeFiles, rowOf, type WorkspaceCopy } from '../../testing/recipes/index.ts';

// Follows the recipes of CONTRIBUTING.md in a copy of the repository; recipes.long.test.ts also runs the service.

let copy: WorkspaceCopy;
beforeAll(async () => {
  copy = await copyWorkspace();
  for (const edits of Object.values(EXAMPLES)) copy.apply(edits);
  await copy.run(['scripts/generate.mjs', 'clients', 'python', 'sdk', 'cli', 'settings']);
}, 180_000);
afterAll(() => copy.remove());

test.each(Object.entries(EXAMPLES))('%s: the recipe names every file, and no other', (heading, edits) => {
  const rows = recipeFiles(heading);
  const edited = edits.map(({ path }) => [path, rowOf(rows, path)]);
  expect(edited.filter(([, row]) => row === undefined)).toEqual([]);
  expect(edited.map(([, row]) => row).sort()).toEqual([...rows].sort());
});

test('a route with its command takes at most eight files', () => {
  expect(recipeFiles('Add a route and its command').length).toBeLessThanOrEqual(8);
});

test('the new commands call the new method of the client', async () => {
  // The helpers of the copy's own tests: a service that answers and a command line in this process.
  const program = `
    const { startService } = await import('./packages/sdk/src/testing/index.ts');
    const { svc } = await import('./packages/cli/src/testing/run-svc.ts');
    const service = await startService(({ method }) => ({ body: method === 'PUT' ? { name: 'store' } : [{}, {}] }));
    const renamed = await svc(['repository', 'rename', 'shop', 'store'], { url: service.url });
    const counted = await svc(['repository', 'count'], { url: service.url });
    const sent = service.received.map(({ method, url, body }) => [method, url, body]);
    await service.close();
    console.log(JSON.stringify({ shown: [renamed.stdout, counted.stdout], sent }));`;
  expect(JSON.parse(await copy.run(['--input-type=module', '--eval', program]))).toEqual({
    shown: ['name: store\n', 'repositories: 2\n'],
    sent: [
      ['PUT', '/api/v1/repositories/shop/name', '{"new_name":"store"}'],
      ['GET', '/api/v1/repositories', ''],
    ],
  });
});

test('both Python clients have the method', () => {
  const method = 'def rename(self, name: str, new_name: str) -> Repository:';
  expect(copy.read('packages/sdk-python/src/svc/_aio/generated/repositories.py')).toContain(`async ${method}`);
  expect(copy.read('packages/sdk-python/src/svc/_sync/generated/repositories.py')).toContain(`    ${method}`);
});

test('the references describe command and setting', () => {
  expect(copy.read('docs/reference/commands.md')).toContain('svc repository rename');
  expect(copy.read('docs/reference/settings.md')).toContain('SVC_REPOSITORIES__ALLOW_RENAMING');
});
