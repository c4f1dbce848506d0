import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { administer, testServer } from '../testing/server.ts';
import { migrate, migrationNames } from './index.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const releasedFolder = `${root}prisma/released`;
const names = existsSync(releasedFolder) ? readdirSync(releasedFolder).filter((name) => name.endsWith('.sql')) : [];

/** The whole schema as lines of text. */
const CONTENTS = `
  SELECT format('column %s.%s %s %s %s', c.oid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      pg_get_expr(d.adbin, d.adrelid)) AS line
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE contype <> 'n' AND connamespace = 'public'::regnamespace
  UNION ALL SELECT format('partition %s %s', relname, pg_get_expr(relpartbound, oid)) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relispartition AND relkind = 'r'
  UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'migration ' || migration_name || ' ' || checksum FROM _prisma_migrations
  ORDER BY 1`;

/** The schema of a database that starts with these statements and is then migrated to this version. */
async function migratedFrom(statements: string): Promise<string[]> {
  const { urlOf } = await testServer();
  const on = (sql: string) => administer(urlOf('svc'), (client) => client.query(sql));
  await on('CREATE DATABASE upgraded');
  try {
    await administer(urlOf('upgraded'), (client) => client.query(statements));
    await migrate(urlOf('upgraded'));
    return await administer(urlOf('upgraded'), async (client) =>
      (await client.query(CONTENTS)).rows.map(({ line }) => line),
    );
  } finally {
    await on('DROP DATABASE upgraded');
  }
}

test('every released version migrates to the same schema as a new database', async () => {
  const newDatabase = await migratedFrom('');
  const current = execFileSync(
    process.execPath,
    ['--import', './scripts/typescript.mjs', 'scripts/schema/released.mjs'],
    { encoding: 'utf8', cwd: root },
  );
  const all = [...names.map((name) => readFileSync(`${releasedFolder}/${name}`, 'utf8')), current];
  for (const [i, text] of all.entries())
    expect([names[i] ?? 'this one', await migratedFrom(text)]).toEqual([names[i] ?? 'this one', newDatabase]);
});

test('a database one migration behind migrates to the same schema as a new one', async () => {
  const newDatabase = await migratedFrom('');
  const { urlOf } = await testServer();
  const on = (sql: string) => administer(urlOf('svc'), (client) => client.query(sql));
  const until = (await migrationNames()).at(-2);
  await on('CREATE DATABASE halfway');
  try {
    // With one migration only, the one behind it is an empty database.
    if (until !== undefined) await migrate(urlOf('halfway'), { until });
    expect(await migrate(urlOf('halfway'))).toHaveLength(1);
    const lines = await administer(urlOf('halfway'), async (client) => (await client.query(CONTENTS)).rows);
    expect(lines.map(({ line }) => line)).toEqual(newDatabase);
  } finally {
    await on('DROP DATABASE halfway');
  }
});
