// The database schema as PostgreSQL reports it after every migration has been applied to an empty database.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startEmbedded } from '../../packages/db/src/embedded/index.ts';
import { migrate } from '../../packages/db/src/migrate/index.ts';

const require = createRequire(new URL('../../packages/db/package.json', import.meta.url));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const OURS = "n.nspname = 'public' AND c.relname <> '_prisma_migrations'";

const TABLES = `
  SELECT c.oid, c.relname AS name, ' PARTITION BY ' || pg_get_partkeydef(c.oid) AS partitioned,
    (SELECT string_agg(format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
        coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')), E',\\n' ORDER BY a.attnum)
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND ${OURS} ORDER BY c.relname`;

/** The bound between the partitions of a new database: the month in which it is created must not change the text. */
const BOUND = "(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC'";

/** Each returns rows of `table_oid` and `line`. NOT NULL is part of the column. */
const PARTS = [
  `SELECT conrelid AS table_oid, format('ALTER TABLE %s ADD CONSTRAINT %I %s;', conrelid::regclass, conname,
      pg_get_constraintdef(oid)) AS line
    FROM pg_constraint WHERE contype <> 'n' AND connamespace = 'public'::regnamespace
    ORDER BY contype = 'f', contype <> 'p', conname`,
  `SELECT i.indrelid AS table_oid, pg_get_indexdef(i.indexrelid) || ';' AS line
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${OURS} AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'u', 'x'))
    ORDER BY c.relname`,
  `SELECT c.oid AS table_oid, format('ALTER TABLE %s ATTACH PARTITION %I %s;', i.inhparent::regclass, c.relname,
      regexp_replace(pg_get_expr(c.relpartbound, c.oid), '''[^'']+''', $bound$${BOUND}$bound$)) AS line
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${OURS} AND c.relkind = 'r' ORDER BY c.relname`,
  `SELECT tgrelid AS table_oid, pg_get_triggerdef(oid) || ';' AS line
    FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname`,
];

const FUNCTIONS = `
  SELECT pg_get_functiondef(oid) || ';' AS line FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p') ORDER BY proname`;

async function dump(client) {
  const query = async (sql) => (await client.query(sql)).rows;
  const functions = (await query(FUNCTIONS)).map(({ line }) => line.trim());
  const tables = await query(TABLES);
  const lines = [];
  for (const sql of PARTS) lines.push(...(await query(sql)));
  const blocks = tables.map(({ oid, name, columns, partitioned }) =>
    [
      `CREATE TABLE ${name} (\n${columns}\n)${partitioned ?? ''};`,
      ...lines.filter((l) => l.table_oid === oid).map((l) => l.line),
    ].join('\n'),
  );
  return [...functions, ...blocks].join('\n\n');
}

async function migratedDatabase(act) {
  const home = mkdtempSync(join(tmpdir(), 'svc-schema-'));
  // When run by root, the server runs as another account, which must be able to read this folder.
  chmodSync(home, 0o755);
  const log = { info() {}, warn() {} };
  const server = await startEmbedded({ dataDir: join(home, 'database'), log, durable: false });
  try {
    await migrate(server.url);
    const { default: pg } = await load('pg');
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    return await act(client).finally(() => client.end());
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

export default [
  {
    file: 'docs/reference/schema.sql',
    generate: async () =>
      `-- Written by "npm run generate": the schema after all of prisma/migrations. Do not edit.\n\n${await migratedDatabase(dump)}\n`,
  },
];
