import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

/** The version to upgrade from, built in its own folder. */
export interface OldVersion {
  folder: string;
  commit: string;
  /** Its newest migration. */
  schema: string;
}

const git = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

/** The newest migration of a version. */
function newestMigration(folder: string, commit = 'HEAD'): string {
  const names = git(folder, 'ls-tree', '-d', '--name-only', `${commit}:prisma/migrations`).split('\n');
  return names.sort().at(-1)!;
}

/** The newest migration of this version. */
export const newSchema = (): string => newestMigration(ROOT);

/** The contents of all migrations of a version, as `<hash>\t<path>`. */
const migrationsOf = (commit: string): string[] =>
  git(ROOT, 'ls-tree', '-r', '--format=%(objectname)%x09%(path)', `${commit}:prisma/migrations`).split('\n');

/**
 * The newest version with fewer migrations than this one, all of them unchanged. Until there are releases, a migration may be split or
 * edited before it is published, and databases that have the earlier form are rejected.
 */
function previousVersion(): string {
  const current = new Set(migrationsOf('HEAD'));
  const changes = git(ROOT, 'rev-list', '--first-parent', 'HEAD', '--', 'prisma/migrations').split('\n');
  const earlier = changes.find((change) => migrationsOf(`${change}^`).every((one) => current.has(one)));
  return `${earlier}^`;
}

/**
 * The version before this one, built as people do: a clone, its locked packages, its build. `UPGRADE_FROM` names another commit.
 */
export function buildOldVersion(into: string): OldVersion {
  const commit = git(ROOT, 'rev-parse', process.env['UPGRADE_FROM'] ?? previousVersion());
  const folder = join(into, 'old');
  git(ROOT, 'clone', '--quiet', '--shared', ROOT, folder);
  git(folder, 'checkout', '--quiet', '--detach', commit);
  const prepare = `import('./scripts/bootstrap/prepare.mjs').then(async (m) => { await m.install(); await m.generatePrisma?.(); await (m.transpile?.() ?? m.build('bundle')); })`;
  execFileSync(process.execPath, ['-e', prepare], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return { folder, commit, schema: newestMigration(folder) };
}

/** The folder of this version, which `npm run test:long` has built. */
export const NEW_FOLDER = ROOT;
