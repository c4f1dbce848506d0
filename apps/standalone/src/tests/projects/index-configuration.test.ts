import { deployFiles, type Files } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const URL = 'https://packages.example.com/team/simple';
const SQL: Files = { 'svc.yaml': 'name: app\n', 'assets/marts/n.sql': '/* svc\n*/\nSELECT 1 AS n\n' };
const TABLE = `[[tool.uv.index]]\nname = "team"\nurl = "${URL}"\n`;

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  await s.client.repositories.create({ name: 'app' });
}, 120_000);
afterAll(() => s.stop());

const deploy = (more: Files) =>
  deployFiles(s.client, { env: 'dev', repository: 'app', folder: s.folder }, { ...SQL, ...more });

describe('a project without uv.lock', () => {
  test.each([
    ['pyproject.toml', '[project]\nname = "app\n', 'pyproject.toml:2: not valid TOML'],
    ['uv.toml', '[[index]\n', 'uv.toml:1: not valid TOML'],
  ])(
    'does not deploy with a broken %s',
    async (file, text, detail) => {
      const { status, error } = await deploy({ [file]: text });
      expect([status, error]).toEqual([
        'failed',
        { code: 'lock-refused', detail: expect.stringContaining(detail), remedy: 'correct the file' },
      ]);
    },
    60_000,
  );

  test('follows the rules for index tables at deploy', async () => {
    expect(await deploy({ 'pyproject.toml': TABLE })).toMatchObject({ status: 'succeeded' });
    await s.client.packageIndexes.create('team', URL);
    const refused = { code: 'lock-refused', detail: expect.stringContaining('without explicit = true') };
    expect(await deploy({ 'pyproject.toml': TABLE })).toMatchObject({ status: 'failed', error: refused });
    expect(await deploy({ 'uv.toml': TABLE.replace('tool.uv.', '') })).toMatchObject({
      status: 'failed',
      error: refused,
    });
    // A version without a lock installs nothing, so the previously deployed one keeps running.
    const { id } = await s.client.runs.create('dev', { repository: 'app', select: ['*'] });
    expect(await s.client.runs.wait('dev', id)).toMatchObject({ status: 'succeeded' });
    expect(await deploy({ 'pyproject.toml': `${TABLE}explicit = true\n` })).toMatchObject({ status: 'succeeded' });
  }, 120_000);
});
