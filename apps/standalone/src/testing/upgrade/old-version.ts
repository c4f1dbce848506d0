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

/**
 * The version before this one, built as people do: a clone, its locked packages, its build. Until there are
 * releases, that is the commit before the newest migration; `UPGRADE_FROM` names another.
 */
export function buildOldVersion(into: string): OldVersion {
  const path = `prisma/migrations/${newSchema()}`;
  const brought = git(ROOT, 'log', '--diff-filter=A', '--format=%H', '-1', '--', path);
  const commit = git(ROOT, 'rev-parse', process.env['UPGRADE_FROM'] ?? `${brought}^`);
  const folder = join(into, 'old');
  git(ROOT, 'clone', '--quiet', '--shared', ROOT, folder);
  git(folder, 'checkout', '--quiet', '--detach', commit);
  const prepare = `import('./scripts/bootstrap/prepare.mjs').then(async (m) => { await m.install(); await m.generatePrisma?.(); await (m.transpile?.() ?? m.build('bundle')); })`;
  execFileSync(process.execPath, ['-e', prepare], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return { folder, commit, schema: newestMigration(folder) };
}

/** The folder of this version, which `npm run test:long` has built. */
export const NEW_FOLDER = ROOT;
