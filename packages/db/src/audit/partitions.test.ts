import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inTransaction, openDatabase, silent } from '../connection/index.ts';
import { migrate } from '../migrate/index.ts';
import { administer, testServer } from '../testing/server.ts';
import { headKeys, listEvents, recordEvent, sealEvents, verifyChain } from './index.ts';

const BEFORE = '20261126223000_staging_tables';
const keys = headKeys(Buffer.alloc(32, 1).toString('base64'));
const COUNT = 5000;

const INSERT = `
  INSERT INTO audit_events (id, time, type, object, detail)
  SELECT gen_random_uuid(), $1::timestamptz - make_interval(days => i % 900), 'RUN_STARTED', '{}', '{}' FROM generate_series(1, $2::int) i`;
/** How the previous version seals: by the id alone. */
const SEAL = `UPDATE audit_events e SET sequence = x.sequence, hash = x.hash
  FROM (SELECT id, -row_number() OVER () AS sequence, '\\x00'::bytea AS hash FROM audit_events WHERE sequence IS NULL LIMIT 10) x WHERE e.id = x.id`;

test('a log of the previous version becomes the first partition without being copied; its programs keep working (AUDIT-5)', async () => {
  const { urlOf } = await testServer();
  const name = `audit_${randomUUID().replaceAll('-', '')}`;
  await administer(urlOf('svc'), (client) => client.query(`CREATE DATABASE ${name}`));
  const url = urlOf(name);
  await migrate(url, { until: BEFORE });
  const old = new pg.Client({ connectionString: url });
  await old.connect();
  const now = new Date();
  await old.query(INSERT, [now, COUNT]);
  const fileOf = async (table: string) =>
    (await old.query<{ file: string }>(`SELECT pg_relation_filenode('${table}')::text AS file`)).rows[0]!.file;
  const [file, index] = [await fileOf('audit_events'), await fileOf('audit_events_page')];
  await migrate(url);
  expect([await fileOf('audit_events_first'), await fileOf('audit_events_first_page')]).toEqual([file, index]);

  // A program of the previous version writes, reads and seals on.
  await old.query(INSERT, [now, 10]);
  await old.query(INSERT, [new Date(now.getTime() + 366 * 24 * 3_600_000), 10]);
  const sealed = await old.query(SEAL);
  expect(sealed.rowCount).toBe(10);
  await old.query('UPDATE audit_events SET sequence = NULL, hash = NULL WHERE sequence < 0');
  expect((await old.query('SELECT FROM audit_events WHERE sequence IS NULL')).rowCount).toBe(COUNT + 20);
  await old.end();

  const db = await openDatabase({ url, log: silent, poolSize: 2 });
  const options = { limit: 1000, keys, adoptUnsigned: true, now, newId: randomUUID };
  while ((await inTransaction(db, (tx) => sealEvents(tx, options))).sealed > 0);
  const event = { principal: null, environmentId: null, requestId: null, detail: {} };
  const object = { kind: 'INSTANCE', environment: null, namespace: null, table: null } as const;
  await recordEvent(db.prisma, { ...event, object, id: randomUUID(), time: now, type: 'RUN_STARTED' });
  expect(await verifyChain(db.prisma, { keys, adoptUnsigned: false })).toMatchObject({
    ...{ intact: true, sealed: COUNT + 20, unsealed: 1, problem: null },
  });
  const { items } = await listEvents(db.prisma, { filter: {}, page: { limit: 10_000, after: null } });
  expect(items).toHaveLength(COUNT + 21);
  await db.close();
  await administer(urlOf('svc'), (client) => client.query(`DROP DATABASE ${name}`));
});
