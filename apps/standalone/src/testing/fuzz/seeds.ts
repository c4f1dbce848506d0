import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestService, TOKEN } from '../test-service.ts';

/** The password of every person. */
export const PASSWORD = 'a password of the fuzz';

const COLUMNS = [
  { name: 'id', type: 'int' },
  { name: 'name', type: 'string' },
];
const VIEW = {
  name: 'v',
  schema: { type: 'struct', 'schema-id': 0, fields: [{ id: 1, name: 'id', required: false, type: 'int' }] },
  'view-version': {
    'version-id': 1,
    'schema-id': 0,
    'timestamp-ms': 1_700_000_000_000,
    summary: {},
    'default-namespace': ['raw'],
    representations: [{ type: 'sql', dialect: 'duckdb', sql: 'SELECT id FROM raw.orders' }],
  },
  properties: {},
};

/** Environments besides the one of most requests. */
export async function seedEnvironments({ call }: TestService): Promise<void> {
  for (const name of ['gone', 'prod', 'spare']) await call('POST', '/environments', { body: { name } });
  await call('DELETE', '/environments/gone');
  await call('POST', '/environments/spare/restore');
  await call('PATCH', '/environments/spare', { body: { protected: false } });
  await call('PATCH', '/environments/prod', { body: { protected: true } });
}

/** Creates objects of every kind, also dropped tables and one with a legal hold. Returns the write that fills a table. */
export async function seedObjects(service: TestService, env: string): Promise<unknown> {
  const { call } = service;
  const raw = `/environments/${env}/namespaces/raw`;
  for (const name of ['orders', 'dropped', 'held'])
    await call('POST', `${raw}/tables`, { body: { name, columns: COLUMNS } });
  await call('DELETE', `${raw}/tables/dropped`);
  await call('PUT', `${raw}/tables/held/hold`, { body: { reason: 'a hold' } });
  await call('POST', `/environments/${env}/queries`, { body: { sql: 'SELECT * FROM raw.orders' } });
  await seedArtifact(service, env);
  await fetch(`${service.url}/catalog/v1/${env}/namespaces/raw/views`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(VIEW),
  });
  const { body } = await call('POST', `${raw}/tables/orders/writes?mode=append`, {
    raw: { type: 'text/csv', data: 'id,name\n1,a\n2,b\n' },
  });
  return body;
}

/** As a Python asset leaves it, with a name that responses must treat only as a name. */
async function seedArtifact({ call, database, folder }: TestService, env: string): Promise<void> {
  const tables = `/environments/${env}/namespaces/raw/tables`;
  const { status, body } = await call('POST', tables, { body: { name: 'report', columns: COLUMNS } });
  if (status !== 201) return;
  const name = encodeURIComponent('ré"port\r\nX: y.html');
  const location = join(folder, 'home', 'warehouse', 'artifacts', randomUUID(), name);
  mkdirSync(dirname(location), { recursive: true });
  writeFileSync(location, '<script>alert(1)</script>');
  await database.db.prisma.table.update({
    where: { id: (body as { id: string }).id },
    data: { kind: 'artifact', location, metadata_location: null },
  });
}
