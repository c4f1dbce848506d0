import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Deploy, Run } from '@svc/sdk';
import {
  lockText,
  makeWheel,
  type PrivateIndex,
  pyprojectText,
  type ServedPart,
  startPrivateIndex,
} from '@svc/worker/testing';
import { deployFiles, type Files } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const CREDENTIAL = { username: 'reader-of-packages', password: 'canary-e2e/41?9' };
type Answer = NonNullable<ServedPart['answer']>;
const CREDENTIAL_PAIR = `${CREDENTIAL.username}:${CREDENTIAL.password}`;
const wheel = makeWheel('tinylib', '1.0', 'from the private index');
const withUv = process.env.SVC_RUN__UV === undefined && process.env.CI === undefined ? describe.skip : describe;

let s: TestService;
let index: PrivateIndex;
let url: string;
let files: Files;
beforeAll(async () => {
  s = await startTestService();
  index = await startPrivateIndex();
  index.serve('/team', { wheels: [wheel], credential: CREDENTIAL_PAIR });
  url = `${index.origin}/team/simple`;
  files = {
    'svc.yaml': 'name: app\n',
    'pyproject.toml': pyprojectText(['tinylib']),
    'uv.lock': lockText([{ name: 'tinylib', index: url, wheel }]),
    'assets/marts/t.py':
      'import os\nimport svc\nimport tinylib\n\n@svc.asset(table="marts.t")\ndef build(ctx):\n    seen = sum("canary" in value for value in os.environ.values())\n    return [{"v": tinylib.VALUE, "seen": seen}]\n',
    'assets/marts/n.sql': '/* svc\n*/\nSELECT 1 AS n\n',
  };
  await s.client.environments.create('dev');
  await s.client.repositories.create({ name: 'app' });
}, 120_000);
afterAll(async () => {
  await s.stop();
  await index.stop();
});

const deploy = (more: Files = {}): Promise<Deploy> =>
  deployFiles(s.client, { env: 'dev', repository: 'app', folder: s.folder }, { ...files, ...more });
const run = async (select = ['*']): Promise<Run> => {
  const { id } = await s.client.runs.create('dev', { repository: 'app', select });
  return s.client.runs.wait('dev', id);
};

/** Responds with the credential of the request, in the parts that an installer prints. */
function repeating(status: number): Answer {
  return ({ headers }, res) => {
    const { username, password } = CREDENTIAL;
    const Location = `http://${username}:${encodeURIComponent(password)}@127.0.0.1:9/${headers.authorization}`;
    res.writeHead(status, `${headers.authorization} ${password}`, status === 302 ? { Location } : {});
    res.end(`${headers.authorization} ${CREDENTIAL_PAIR}`);
  };
}

/** Every file below the service's folders and every row that contains the text, also as bytes. */
async function searched(text: string): Promise<string[]> {
  const hex = Buffer.from(text).toString('hex');
  const found = readdirSync(s.folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(s.folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() && readFileSync(file).includes(text));
  const tables = await s.database.db.prisma.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
  for (const { name } of tables) {
    const rows = await s.database.db.prisma.$queryRawUnsafe<{ hits: bigint }[]>(
      `SELECT count(*) AS hits FROM "${name}" t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0`,
      text,
      hex,
    );
    if (rows[0]!.hits > 0n) found.push(`table ${name}`);
  }
  return found;
}

withUv('from the first refusal to the green run, following what the messages say', () => {
  test('an index that is not registered', async () => {
    const { status, error } = await deploy();
    expect([status, error]).toEqual([
      'failed',
      expect.objectContaining({
        code: 'lock-refused',
        remedy: expect.stringContaining(`svc index add NAME --url ${url}`),
      }),
    ]);
    await s.client.packageIndexes.create('team', url);
  }, 60_000);

  test('one that wants a credential: the run says so, and how to name one', async () => {
    expect(await deploy()).toMatchObject({ status: 'succeeded', package_indexes: ['team'] });
    const { status, tasks } = await run(['marts.t']);
    expect([status, tasks[0]?.error?.remedy]).toEqual(['failed', 'svc index update team --credential-secret SECRET']);
    await s.client.packageIndexes.update('team', { credential_secret: 'pw' });
  }, 120_000);

  test('a secret that the environment lacks stops deploys and runs, of SQL alone too (SECRET-4)', async () => {
    const remedy = 'svc secret create pw --env dev --values-stdin --index team';
    expect((await deploy()).error).toMatchObject({ code: 'index-credential', remedy });
    expect(await run(['marts.n'])).toMatchObject({ status: 'failed', error: { code: 'index-credential', remedy } });
    await s.client.secrets.create('dev', 'pw', { username: CREDENTIAL.username });
    const bind = 'svc secret bind pw --env dev --index team';
    expect((await deploy()).error).toMatchObject({ code: 'index-credential', remedy: bind });
    await s.client.secrets.bind('dev', 'pw', { index: 'team' });
  }, 60_000);

  test.each([
    ['without a password', { username: CREDENTIAL.username }, 'no usable password'],
    ['with NUL', { password: 'a\0b' }, 'NUL'],
    ['with an over-long user name', { username: 'u'.repeat(4097), password: 'x' }, 'longer than 4,096'],
  ])(
    'a secret %s is named with the command that sets it',
    async (_, values, why) => {
      await s.client.secrets.rotate('dev', 'pw', values);
      const { error } = await deploy();
      expect(error).toMatchObject({
        detail: expect.stringContaining(why),
        remedy: 'svc secret rotate pw --env dev --values-stdin',
      });
      expect((await run(['marts.n'])).error?.detail).toContain(why);
    },
    60_000,
  );

  test('a lone surrogate, which only a changed row can hold, has its own message', async () => {
    await s.client.secrets.rotate('dev', 'pw', CREDENTIAL);
    const facts = { keys: ['password'], empty: [], nul: [], overlong: [], surrogate: ['password'] };
    await s.database.db.prisma.secret.updateMany({ where: { name: 'pw' }, data: { facts } });
    expect((await deploy()).error?.detail).toContain('lone surrogate');
  }, 60_000);

  test('with the right credential the project deploys and builds (DEPLOY-9)', async () => {
    await s.client.secrets.rotate('dev', 'pw', CREDENTIAL);
    const deployed = await deploy();
    expect(deployed).toMatchObject({ status: 'succeeded', package_indexes: ['team'], error: null });
    const version = await s.client.projectVersions.get('dev', deployed.project_version_id!);
    expect(version.package_indexes).toEqual(['team']);
    expect(await run()).toMatchObject({ status: 'succeeded' });
    const { id } = await s.client.queries.submit('dev', 'SELECT v, seen FROM marts.t');
    await s.client.queries.wait('dev', id);
    expect((await s.client.queries.results('dev', id)).rows).toEqual([['from the private index', 0]]);
  }, 120_000);

  test('a stored URL that was changed behind the service stops it before the secret is read (INDEX-9)', async () => {
    const before = index.requests.length;
    const set = (stored: string) =>
      s.database.db.prisma.packageIndex.updateMany({ where: { name: 'team' }, data: { url: stored } });
    await set(`${index.origin}/team/simple//`);
    for (const error of [(await deploy()).error, (await run(['marts.t'])).error]) {
      expect(error?.detail).toContain('the stored URL of the package index');
    }
    // By then the lock's URL isn't registered anymore: the stored cause is shown, without the URL.
    await set(url.replace('//', '//someone:hunter2@'));
    const table = `\n[[tool.uv.index]]\nname = "team"\nurl = "${url}"\nexplicit = true\n[tool.uv.sources]\ntinylib = { index = "team" }\n`;
    const pyproject = `${pyprojectText(['tinylib'])}${table}`;
    for (const { error } of [await deploy(), await deploy({ 'pyproject.toml': pyproject }), await run(['marts.t'])]) {
      expect(error).toMatchObject({
        code: 'index-url-refused',
        detail: expect.stringContaining('the stored URL of the package index team'),
        remedy: 'svc index update team --url URL',
      });
      expect(JSON.stringify(error)).not.toMatch(/someone|hunter2/);
    }
    await set(url);
    expect(index.requests.length).toBe(before);
  }, 60_000);

  test('a revoked secret and a removed index stop the next run; registered again, it continues (INDEX-14)', async () => {
    await s.client.secrets.revoke('dev', 'pw');
    expect((await run()).error?.detail).toContain('was revoked there');
    await s.client.packageIndexes.delete('team');
    expect((await run()).error).toMatchObject({ code: 'lock-refused' });
    await s.client.packageIndexes.create('team-again', url, { credential_secret: 'pw' });
    await s.client.secrets.create('dev', 'pw', CREDENTIAL, { index: 'team-again' });
    expect(await run()).toMatchObject({ status: 'succeeded' });
  }, 60_000);

  test.each<[string, Answer, string]>([
    ['repeats the credential with an error', repeating(400), 'the package index team-again returned 400'],
    ['redirects to another host with the credential', repeating(302), 'http://127.0.0.1:9'],
    ['serves another file', (_, res) => res.writeHead(200).end(wheel.bytes), 'its hash differs'],
    ['no longer takes the credential', repeating(401), 'rejected the credential of the secret pw'],
  ])(
    'an index that %s fails the run with its cause',
    async (what, response, cause) => {
      const name = `lib${what.length}`;
      const lib = makeWheel(name, '1.0', 'never installed');
      index.serve('/team', { wheels: [lib], credential: CREDENTIAL_PAIR, answer: response });
      const lock = lockText([{ name, index: url, wheel: lib }]);
      const deployed = await deploy({ 'uv.lock': lock, 'pyproject.toml': pyprojectText([name]) });
      expect(deployed).toMatchObject({ status: 'succeeded', package_indexes: ['team-again'] });
      const { status, tasks } = await run(['marts.t']);
      expect([status, tasks[0]?.error?.detail]).toEqual(['failed', expect.stringContaining(cause)]);
    },
    60_000,
  );

  test('a package without a wheel stops the deploy by its name', async () => {
    const lock = (files['uv.lock'] as string).replace(/wheels = \[\{ (.*) \}\]/, 'sdist = { $1 }');
    expect((await deploy({ 'uv.lock': lock })).error?.detail).toContain('the package tinylib 1.0 has no wheel');
  }, 60_000);

  test('the credential is in no file and no row (LOCK-8)', async () => {
    const forms = [CREDENTIAL.password, encodeURIComponent(CREDENTIAL.password), CREDENTIAL.username];
    for (const form of [...forms, Buffer.from(CREDENTIAL_PAIR).toString('base64')])
      expect(await searched(form)).toEqual([]);
  }, 60_000);
});
