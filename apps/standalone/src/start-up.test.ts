import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployFiles } from './testing/projects.ts';
import { makeServiceHome, type ServiceHome, startServiceProcess } from './testing/service-process.ts';

const ENDLESS = 'SELECT count(*) AS n FROM range(100000000000) t(i) WHERE i % 7 = 3';

let home: ServiceHome;
beforeEach(async () => {
  home = await makeServiceHome();
});
afterEach(() => home.remove());

test('cancelling queries right after the start breaks neither the start nor the process', async () => {
  const s = await startServiceProcess(home);
  const { client } = s;
  await client.environments.create('dev');
  let ready = false;
  void s.ready.then(() => {
    ready = true;
  });
  const cancelled: string[] = [];
  do {
    const queries = await Promise.all([1, 2, 3].map(() => client.queries.submit('dev', ENDLESS)));
    await Promise.all(queries.map(({ id }) => client.queries.cancel('dev', id)));
    cancelled.push(...queries.map(({ id }) => id));
  } while (!ready);
  await s.ready;
  for (const id of cancelled) expect(await client.queries.wait('dev', id)).toMatchObject({ status: 'CANCELLED' });
  await client.queries.wait('dev', (await client.queries.submit('dev', 'SELECT 1')).id);
  expect(await s.stop()).toBe(0);
}, 120_000);

test('so do runs that are cancelled or whose environment is deleted as they start', async () => {
  const first = await startServiceProcess(home);
  const files = { 'svc.yaml': 'jobs:\n  slow: { select: [slow.forever] }\n', 'assets/slow/forever.sql': ENDLESS };
  await first.client.repositories.create({ name: 'slow' });
  for (const env of ['one', 'two']) {
    await first.client.environments.create(env);
    await deployFiles(first.client, { env, repository: 'slow', folder: home.folder }, files);
  }
  expect(await first.stop()).toBe(0);

  const s = await startServiceProcess(home);
  const { client } = s;
  const isStarted = async (env: string, id: string) => (await client.runs.get(env, id)).status !== 'queued';
  const start = async (env: string) => (await client.jobs.start(env, 'slow')).run!.id;
  const [one, two] = await Promise.all([start('one'), start('two')]);
  while (!(await isStarted('one', one)) && !(await isStarted('two', two)));
  await Promise.all([client.runs.cancel('one', one), client.environments.delete('two')]);
  await s.ready;
  expect(await client.runs.wait('one', one)).toMatchObject({ status: 'cancelled' });
  expect(await s.stop()).toBe(0);
}, 120_000);

const readiness = (url: string): Promise<number | null> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status,
    () => null,
  );

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s to npm start lets the service finish, and stops all its processes (SERVICE-1, SERVICE-6)',
  async (signal) => {
    const s = await startServiceProcess(home, {}, ['npm', 'start']);
    const { queries, environments } = s.client;
    await s.ready;
    const pid = Number(readFileSync(join(home.folder, 'home', 'pid'), 'utf8'));
    await environments.create('dev');
    const { id } = await queries.submit('dev', ENDLESS);
    while ((await queries.get('dev', id)).status !== 'RUNNING');
    const waiting = queries.get('dev', id, { wait: 60 });
    process.kill(s.pid, signal);
    while ((await readiness(s.url)) === 200);
    expect(await readiness(s.url)).toBe(503);
    await queries.cancel('dev', id);
    expect(await waiting).toMatchObject({ status: 'CANCELLED' });
    expect(await s.exited).toBe(0);
    expect(await readiness(s.url)).toBeNull();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  },
  120_000,
);
