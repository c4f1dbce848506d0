import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '@svc/core/settings';
import { Conflict, SvcClient } from '@svc/sdk';
import { addressOf, isReady } from './background.ts';

const ENVIRONMENT = 'sample';
const DAYS = 365;
const SHOPS = ['north', 'south', 'east', 'west'] as const;

/** The same rows at every call: sales of four shops over a year, by a small fixed generator. */
function sales(): string {
  let state = 20_260_101;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  const lines = ['day,shop,receipts,revenue'];
  for (let day = 0; day < DAYS; day++) {
    const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
    for (const shop of SHOPS) lines.push(`${date},${shop},${20 + next(180)},${(500 + next(95_000) / 10).toFixed(2)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** `npm run seed`: sample principals, grants, tables and rows with names that never change. */
async function main(): Promise<void> {
  const settings = readSettings(process.env, (path) => readFileSync(path, 'utf8'));
  const url = addressOf(settings);
  if (!(await isReady(url))) throw new Error(`no service is running at ${url}: start one with npm start`);
  const token = settings.bootstrapToken ?? readFileSync(join(settings.home, 'admin-token'), 'utf8').trim();
  const client = new SvcClient({ url, token });
  const createUnlessExists = async (what: string, creation: Promise<unknown>) => {
    const created = await creation.then(
      () => true,
      (error: unknown) => {
        if (error instanceof Conflict) return false;
        throw error;
      },
    );
    process.stdout.write(`${created ? 'made ' : 'found'} ${what}\n`);
    return created;
  };
  await createUnlessExists(`environment ${ENVIRONMENT}`, client.environments.create(ENVIRONMENT));
  await createUnlessExists('namespace shop', client.namespaces.create(ENVIRONMENT, 'shop'));
  const columns = [
    { name: 'day', type: 'date', nullable: false },
    { name: 'shop', type: 'string', nullable: false },
    { name: 'receipts', type: 'int' },
    { name: 'revenue', type: 'decimal(12,2)' },
  ];
  await createUnlessExists('table shop.sales', client.tables.create(ENVIRONMENT, 'shop.sales', { columns }));
  const write = await client.tables.load(ENVIRONMENT, 'shop.sales', Buffer.from(sales()), {
    format: 'csv',
    mode: 'replace',
  });
  const finished = await client.writes.wait(ENVIRONMENT, write.id);
  process.stdout.write(`loaded ${finished.rows} rows into shop.sales\n`);
  for (const [name, type] of [
    ['analyst', 'person'],
    ['loader', 'service-account'],
  ] as const) {
    await createUnlessExists(`principal ${name}`, client.principals.create({ name, type }));
  }
  await createUnlessExists(
    'grant of DATA_ENGINEER to loader',
    client.grants.create({ kind: 'ENVIRONMENT', principal: 'loader', role: 'DATA_ENGINEER', environment: ENVIRONMENT }),
  );
  await createUnlessExists(
    'grant of READ_TABLE to analyst',
    client.grants.create({
      kind: 'NAMESPACE',
      principal: 'analyst',
      action: 'READ_TABLE',
      environment: ENVIRONMENT,
      namespace: 'shop',
    }),
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`Seeding failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
