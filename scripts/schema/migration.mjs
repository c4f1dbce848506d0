// npm run migration -- NAME: writes prisma/migrations/<time>_<name>/migration.sql with the difference between the schema
// and the migrations. Read it before you commit it, and add what the schema can't express (checks, triggers, data).
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

const name = process.argv[2] ?? '';
if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error(
    'Name the migration in small letters, digits and underscores: npm run migration -- add_owner_to_tables',
  );
  process.exit(1);
}
const args = ['--import', './scripts/typescript.mjs', './scripts/schema/check.mjs', '--print'];
const { status, stdout } = spawnSync(process.execPath, args, {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (status !== 0) process.exit(1);
if (!stdout.trim()) {
  console.log('The migrations and prisma/schema.prisma agree: there is nothing to write.');
} else {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join('prisma/migrations', `${time}_${name}`);
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, 'migration.sql'), `${stdout.trim()}\n`);
  console.log(`Wrote ${folder}/migration.sql. Read it before you commit it.`);
}
