// Names the folder in which the first test that needs a database starts PostgreSQL (packages/db/src/testing). A run
// without such tests starts none.
import { chmodSync, mkdtempSync, readdirSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeServer } from './server-folder.mjs';

const MEMORY_FOLDER = '/dev/shm';
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3;

export default async function globalSetup() {
  const base = memoryFolderFits() ? MEMORY_FOLDER : tmpdir();
  for (const name of readdirSync(base)) {
    // Removes what killed runs left.
    const pid = /^svc-tests-(\d+)-/.exec(name)?.[1];
    if (pid && !alive(Number(pid))) await removeServer(join(base, name));
  }
  const home = mkdtempSync(join(base, `svc-tests-${process.pid}-`));
  // When run by root, the server runs as another account, which must be able to read this folder.
  chmodSync(home, 0o755);
  process.env.TEST_POSTGRES_HOME = home;
}

// Cloning a database is ten times faster in memory; containers often have 64 MB there, which isn't enough.
function memoryFolderFits() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MEMORY_NEEDED_BYTES;
  } catch {
    return false;
  }
}

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
