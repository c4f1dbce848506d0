// A service of its own for the tests with other engines, from sources, on a free port.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../bootstrap/stamp.mjs';
import { freePort } from '../testing/free-port.mjs';
import { stopProcess, untilReady } from './process.mjs';

export const TOKEN = 'engines-administrator-token';

/** Starts it with the environment `dev`; `stop` stops it (`SIGKILL` kills it) and removes its folder, unless the caller passed one. */
export async function startService(settings = {}, value = undefined) {
  const home = value ?? mkdtempSync(join(tmpdir(), 'svc-engines-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = ['--import', './scripts/typescript.mjs', '--conditions=@svc/source', 'apps/standalone/src/main.ts'];
  const child = spawn(process.execPath, program, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      SVC_HOME: home,
      SVC_LISTEN: `127.0.0.1:${port}`,
      SVC_SQL__LISTEN: '',
      SVC_BOOTSTRAP_TOKEN: TOKEN,
      SVC_LOG__LEVEL: 'error',
      SVC_RUN__SWEEP_INTERVAL: '0',
      ...settings,
    },
  });
  const ready = () =>
    fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
  await untilReady(child, { name: 'the service', ready, everyMs: 50 });
  await fetch(`${url}/api/v1/environments`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: '{"name": "dev"}',
  });
  return {
    url,
    async stop(signal) {
      await stopProcess(child, signal);
      if (value === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}
