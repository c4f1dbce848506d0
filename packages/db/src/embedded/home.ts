import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Log } from '../connection/log.ts';
import { type Account, closedFolder } from './account.ts';
import { EmbeddedServerError, USE_EXTERNAL } from './error.ts';
import { processAlive } from './postmaster.ts';

/** Where a server started by root stores its data if its account can't enter the chosen folder. */
const SYSTEM_HOME = '/var/lib/svc';

/**
 * Returns the folder for the cluster, its log and copied programs: `dataDir`, or, if the account can't enter that
 * (below /root), a folder below /var/lib/svc. The file `location` in `dataDir` records it for later starts.
 */
export async function prepareHome(dataDir: string, account: Account, log: Log): Promise<string> {
  const folder = resolve(dataDir);
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 });
  await mkdir(folder, { mode: 0o755 }).catch(ignoreErrors('EEXIST'));
  const recordedLocation = await readFile(join(folder, 'location'), 'utf8').catch(() => null);
  if (recordedLocation) return recordedLocation.trim();
  // Open this folder only; the folders above it aren't ours to change.
  if (!account.own) await chmod(folder, 0o755);
  const closed = closedFolder(folder, account);
  if (!closed) return folder;
  const systemFolder = join(SYSTEM_HOME, randomBytes(6).toString('hex'));
  await mkdir(systemFolder, { recursive: true, mode: 0o755 });
  if (closedFolder(systemFolder, account)) {
    throw new EmbeddedServerError(
      `PostgreSQL runs as "${account.name}", which is not allowed to enter ${closed}. Choose another data folder with SVC_HOME, start as a regular user,  ${USE_EXTERNAL}.`,
    );
  }
  await writeFile(join(folder, 'location'), `${systemFolder}\n`);
  log.info(
    { folder: systemFolder },
    `the database is in ${systemFolder}, because "${account.name}" may not enter ${closed}`,
  );
  return systemFolder;
}

/** Removes what interrupted starts left in `home`. */
export async function removeLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = /^(?:initializing|postgresql-partial)-(\d+)-/.exec(name)?.[1];
    if (pid && !processAlive(Number(pid))) await rm(join(home, name), { recursive: true, force: true });
  }
}

/**
 * Creates `home/cluster`, owned by the account, by running `build` in a temporary folder and renaming it. An existing
 * cluster is therefore complete, and of two concurrent starts one wins and the other uses its cluster.
 */
export async function buildCluster(
  home: string,
  account: Account,
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const cluster = join(home, 'cluster');
  if (await stat(cluster).catch(() => null)) return cluster;
  const tempFolder = join(home, `initializing-${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(tempFolder, { mode: 0o700 });
  await chownTo(tempFolder, account);
  try {
    await build(tempFolder);
    await rename(tempFolder, cluster).catch(ignoreErrors('ENOTEMPTY', 'EEXIST', 'EPERM'));
  } finally {
    await rm(tempFolder, { recursive: true, force: true });
  }
  return cluster;
}

/** Changes the owner of a file or folder to the account. */
export async function chownTo(path: string, account: Account): Promise<void> {
  if (account.ids.uid !== undefined && account.ids.gid !== undefined)
    await chown(path, account.ids.uid, account.ids.gid);
}

function ignoreErrors(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}
