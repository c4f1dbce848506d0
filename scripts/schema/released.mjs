// The schema of a release as SQL, with the record of its migrations: the starting point of an upgrade from that release.
// `node --import ./scripts/typescript.mjs scripts/schema/released.mjs` prints it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrationNames, migrationsFolder } from '../../packages/db/src/migrate/folder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The file with the schema of a release. */
export const releasedFile = (version) => `prisma/released/${version}.sql`;

// The same as the migrator creates (packages/db/src/migrate).
const RECORD = `CREATE TABLE _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
);`;

/** The text of the file, from docs/reference/schema.sql, which `npm run verify generated` compares with the migrations. */
export async function releasedSchema() {
  const schema = readFileSync(join(root, 'docs/reference/schema.sql'), 'utf8').replace(/^--.*\n+/, '');
  const sequences = [...schema.matchAll(/nextval\('(\w+)'::regclass\)/g)].map(([, name]) => `CREATE SEQUENCE ${name};`);
  const folder = migrationsFolder();
  const names = await migrationNames();
  const rows = names.map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(folder, name, 'migration.sql')))
      .digest('hex');
    return `  (gen_random_uuid(), '${sum}', '${name}', now(), 1)`;
  });
  const insert = `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES\n${rows.join(',\n')};`;
  return `-- Written by "npm run release -- --schema". Do not edit.\n\n${[...sequences, schema.trim(), RECORD, insert].join('\n\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(await releasedSchema());
