// Names the folder in which the first test that needs a database starts PostgreSQL (packages/db/src/testing); a run
// that needs none starts none.
import { chmodSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeServer } from './server-folder.mjs';

export default async function globalSetup() {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^svc-tests-(\d+)-/.exec(name)?.[1];
    if (pid && !alive(Number(pid))) await removeServer(join(tmpdir(), name));
  }
  const home = mkdtempSync(join(tmpdir(), `svc-tests-${process.pid}-`));
  // Under root the server runs as another account, which must get here.
  chmodSync(home, 0o755);
  process.env.TEST_POSTGRES_HOME = home;
}

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
