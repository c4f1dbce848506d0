// The steps that prepare a clone. Each takes only milliseconds if its inputs haven't changed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pnpm, quietly } from './run.mjs';
import { contentsOf, filesBelow, isStamped, packageFolders, root, stamp, timesOf } from './stamp.mjs';

/** Installs the packages of the lock file. Returns whether there was anything to do. */
export async function install() {
  const manifests = packageFolders().map((folder) => `${folder}/package.json`);
  const inputs = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', 'package.json', ...manifests];
  const fingerprint = () => contentsOf(inputs, process.version, process.platform, process.arch);
  if (isStamped('install', fingerprint()) && existsSync(join(root, 'node_modules/.modules.yaml'))) return false;
  console.log('Installing packages …');
  const frozen = process.env.CI ? ['--frozen-lockfile'] : ['--prefer-frozen-lockfile'];
  const [program, args] = pnpm('install', ...frozen, '--reporter=append-only');
  // Outside CI, pnpm would ask before it replaces a folder of another version.
  await quietly('Installing packages', program, args, { env: { ...process.env, CI: 'true' } });
  stamp('install', fingerprint());
  return true;
}

/**
 * Runs build tasks of turbo.json that are out of date. Starting turbo takes longer than starting the service, so nothing is
 * started if no file has changed since the same tasks last succeeded.
 */
export async function build(...tasks) {
  const folders = packageFolders();
  const sources = folders.flatMap((folder) => [...filesBelow(`${folder}/src`), `${folder}/package.json`]);
  const scripts = [...filesBelow('scripts/build'), ...folders.map((folder) => `${folder}/build.mjs`)];
  const shared = ['prisma/schema.prisma', 'prisma.config.ts', 'pnpm-lock.yaml', 'turbo.json'];
  const name = `build-${tasks.join('-').replace(/\W+/g, '-')}`;
  const fingerprint = timesOf([...sources, ...scripts, ...shared]);
  if (isStamped(name, fingerprint) && existsSync(join(root, 'packages/db/src/generated'))) return;
  console.log('Building …');
  const [program, args] = pnpm('exec', 'turbo', 'run', ...tasks, '--output-logs=errors-only');
  await quietly('Building', program, args, { env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' } });
  stamp(name, fingerprint);
}
