import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { SvcClient } from '@svc/sdk';
import { type Cluster, startCluster } from '../../testing/cluster.ts';
import { TOKEN } from '../../testing/test-service.ts';

// Kills servers and workers with SIGKILL in the middle of drops, restores, deletions and sweeps.
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ SVC_RUN__SWEEP_INTERVAL: '1' });
  await cluster.client.principals.create({ name: 'reader', type: 'person' });
});
afterAll(() => cluster.stop());

const TABLES = ['t0', 't1', 't2', 't3', 't4', 't5'];
const COLUMNS = [{ name: 'id', type: 'long' }];

async function fill(env: string): Promise<void> {
  const { client } = cluster;
  await client.environments.create(env);
  await client.namespaces.create(env, 'n');
  for (const name of TABLES) {
    await client.tables.create(env, `n.${name}`, { columns: COLUMNS });
    const scope = { kind: 'TABLE', environment: env, namespace: 'n', table: name };
    await client.grants.create({ principal: 'reader', action: 'READ_TABLE', ...scope });
  }
}

/** Sends requests to their own server, which is killed as soon as the first of them has completed. */
async function killDuring(change: (client: SvcClient, name: string) => Promise<unknown>): Promise<void> {
  const second = await cluster.startServer();
  const client = new SvcClient({ url: second.url, token: TOKEN, retries: 0 });
  const requests = TABLES.map((name) => change(client, name).catch(() => undefined));
  await Promise.race(requests);
  expect(await second.kill()).toBe('SIGKILL');
  await Promise.all(requests);
}

/** Every table is complete with its grant, or dropped without it; returns the names of the dropped ones. */
async function droppedOf(env: string): Promise<string[]> {
  const { client } = cluster;
  const active = (await client.tables.list(env, 'n')).map(({ name }) => name);
  const dropped = (await client.tables.listDropped(env, 'n')).map(({ name }) => name);
  expect([...active, ...dropped].sort()).toEqual(TABLES);
  const granted = (await client.grants.list({ principal_name: 'reader' }))
    .filter((grant) => grant.environment === env)
    .map(({ table }) => table);
  expect(granted.sort()).toEqual(active.sort());
  return dropped;
}

describe('a server killed in the middle', () => {
  test('of drops and of restores leaves each table whole or dropped', async () => {
    await fill('drops');
    const { client } = cluster;
    for (let round = 0; round < 4; round++) {
      await killDuring((second, name) => second.tables.delete('drops', `n.${name}`));
      const dropped = await droppedOf('drops');
      for (const name of TABLES) if (!dropped.includes(name)) await client.tables.delete('drops', `n.${name}`);
      await killDuring((second, name) => second.tables.undrop('drops', `n.${name}`));
      for (const name of await droppedOf('drops')) await client.tables.undrop('drops', `n.${name}`);
      expect(await droppedOf('drops')).toEqual([]);
    }
  });

  test('of the deletion and of the restore of an environment leaves all of it or none', async () => {
    await fill('whole');
    const { client } = cluster;
    const isDeleted = async () =>
      (await client.environments.list({ deleted: true })).some(({ name }) => name === 'whole');
    for (let round = 0; round < 4; round++) {
      await killDuring((second, name) =>
        name === 't0' ? second.environments.delete('whole') : second.tables.get('whole', `n.${name}`),
      );
      if (!(await isDeleted())) {
        expect(await droppedOf('whole')).toEqual([]);
        await client.environments.delete('whole');
      }
      await killDuring((second, name) =>
        name === 't0' ? second.environments.restore('whole') : second.environments.get('drops'),
      );
      if (await isDeleted()) await client.environments.restore('whole');
      expect(await droppedOf('whole')).toEqual([]);
    }
  });
});

describe('a worker killed in the middle of a sweep', () => {
  test.each(['purge.taken', 'purge.counted', 'purge.deleted'] as const)('at "%s" is resumed', async (step) => {
    const { client, events, startWorker } = cluster;
    const env = step.replace('.', '-');
    await client.environments.create(env);
    await client.namespaces.create(env, 'n');
    const { id, location } = await client.tables.create(env, 'n.big', { columns: COLUMNS });
    const folder = `${fileURLToPath(location!)}/data`;
    await mkdir(folder);
    for (let i = 0; i < 1500; i++) await writeFile(`${folder}/${i}.parquet`, 'rows');
    await client.tables.delete(env, 'n.big', { purge: true });
    const doomed = await startWorker(step);
    expect(await doomed.exited).toBe('SIGKILL');
    const other = await startWorker();
    for (let state = ''; state !== 'deleted'; ) state = (await client.tables.purgesPage(env, 'n')).items[0]!.state;
    await other.stop();
    expect((await cluster.stored('tables')).filter((file) => file.startsWith(folder))).toEqual([]);
    const purges = (await events('TABLE_PURGED')).filter(({ detail }) => detail['table_id'] === id);
    expect(purges).toHaveLength(1);
  });
});
