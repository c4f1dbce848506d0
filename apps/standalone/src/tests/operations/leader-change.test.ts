import { startCluster } from '../../testing/cluster.ts';

test('a worker that becomes the leader cleans up at once, instead of an hour later', async () => {
  const cluster = await startCluster({ SVC_RUN__SWEEP_INTERVAL: '3600' });
  const { client, database } = cluster;
  const leader = await cluster.startWorker();
  await cluster.startWorker();
  await client.environments.create('dev');
  await client.namespaces.create('dev', 'shop');
  await client.tables.create('dev', 'shop.orders', { columns: [{ name: 'id', type: 'long' }] });
  await client.tables.delete('dev', 'shop.orders');
  await database.db.prisma.table.updateMany({ data: { purge_after: new Date(Date.now() - 60_000) } });
  await leader.kill();
  const purged = () => client.audit.list({ event_type: 'TABLE_PURGED' });
  while ((await purged()).length === 0);
  expect(await purged()).toMatchObject([{ object: { table: 'orders' } }]);
  await cluster.stop();
});
