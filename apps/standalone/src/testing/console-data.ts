import { deployFiles } from './projects.ts';
import { startTestService, type TestService } from './test-service.ts';

export const PASSWORD = 'correct horse battery staple';

/** Names and texts that would do something if a page showed them as HTML or let them change its direction. */
export const HOSTILE = {
  column: '<img src=x onerror="window.hostile=1">',
  text: '<script>window.hostile=1</script> \u202egpj.exe',
  long: 'x'.repeat(255),
};

const ORDERS = Array.from({ length: 1500 }, (_, id) => `${id},customer ${id % 7},${id}.50`);

export type ConsoleService = TestService & { failedRun: string };

/** A service with tables, a dropped one, runs that succeeded and failed, an administrator and a reader of one table. */
export async function startConsoleService(): Promise<ConsoleService> {
  const s = await startTestService({ SVC_QUERY__THREADS: '1' });
  const { client } = s;
  await client.environments.create('dev');
  await client.environments.create('prod', { protected: true });
  for (const path of ['sales', 'sales.eu', 'secret_plans']) await client.namespaces.create('dev', path);
  const columns = [
    { name: 'id', type: 'long', nullable: false },
    { name: 'customer', type: 'string' },
    { name: 'amount', type: 'double' },
  ];
  for (const table of ['sales.orders', 'sales.old', 'sales.eu.gone', 'secret_plans.budget'])
    await client.tables.create('dev', table, { columns });
  await client.tables.update('dev', 'sales.orders', { description: HOSTILE.text });
  await client.tables.create('dev', 'sales.hostile', {
    columns: [HOSTILE.column, '💥 emoji', HOSTILE.long].map((name) => ({ name, type: 'string' })),
  });
  for (const rows of [ORDERS.slice(0, 10), ORDERS.slice(10)]) {
    const csv = ['id,customer,amount', ...rows].join('\n');
    await client.writes.wait('dev', (await client.tables.load('dev', 'sales.orders', csv, { format: 'csv' })).id);
  }
  for (const table of ['sales.old', 'sales.eu.gone']) await client.tables.delete('dev', table);
  await client.queries.run('dev', 'SELECT count(*) FROM sales.orders');
  const failedRun = await failingRun(s);
  for (const name of ['ann', 'rita']) await client.principals.create({ name, type: 'person', password: PASSWORD });
  await client.grants.create({ principal: 'ann', kind: 'INSTANCE', role: 'ADMIN' });
  await client.grants.create({ principal: 'rita', kind: 'ENVIRONMENT', environment: 'dev', action: 'SUBMIT_QUERY' });
  const table = { kind: 'TABLE', environment: 'dev', namespace: 'sales', table: 'orders' } as const;
  await client.grants.create({ principal: 'rita', ...table, action: 'READ_TABLE' });
  return { ...s, failedRun };
}

async function failingRun({ client, folder }: TestService): Promise<string> {
  await client.repositories.create({ name: 'shop' });
  await deployFiles(
    client,
    { env: 'dev', repository: 'shop', folder },
    {
      'svc.yaml': '',
      'assets/marts/days.sql': 'SELECT 1 AS day',
      'assets/marts/busy.sql': '/* svc\nchecks:\n  - row_count: { min: 1000 }\n*/\nSELECT day FROM marts.days',
    },
  );
  const body = { repository: 'shop', select: ['*'], upstream: false, downstream: false };
  return (await client.runs.wait('dev', (await client.runs.create('dev', body)).id)).id;
}
