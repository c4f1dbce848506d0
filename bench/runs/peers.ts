import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGES = ['dagster==1.13.29', 'prefect==3.9.1'];
const script = (name: string): string => fileURLToPath(new URL(`./peers/${name}`, import.meta.url));

/** The same chain of 10 Python tasks on other orchestrators, each call from the start of its program to its end. */
export interface Peers {
  readonly chains: Readonly<Record<string, () => Promise<unknown>>>;
  readonly close: () => void;
}

/** Installs the peers once into the cache of this checkout. Null without uv. */
export async function openPeers(): Promise<Peers | null> {
  const uv = process.env['SVC_RUN__UV'] ?? 'uv';
  const cache = fileURLToPath(new URL('../../node_modules/.cache/svc/bench-runs/', import.meta.url));
  const python = join(cache, 'bin/python');
  try {
    if (!existsSync(python)) await run(uv, ['venv', '--quiet', cache]);
    await run(uv, ['pip', 'install', '--quiet', '--python', python, ...PACKAGES]);
  } catch (error) {
    console.log(`Without peers: ${(error as Error).message.split('\n')[0]}`);
    return null;
  }
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-peers-'));
  mkdirSync(join(home, 'dagster'));
  writeFileSync(join(home, 'dagster/dagster.yaml'), 'telemetry:\n  enabled: false\n');
  const env = {
    ...process.env,
    DAGSTER_HOME: join(home, 'dagster'),
    PREFECT_HOME: join(home, 'prefect'),
    DO_NOT_TRACK: '1',
  };
  const options = { env, cwd: home, maxBuffer: 2 ** 26 };
  return {
    chains: {
      'Dagster, a process per task': () =>
        run(join(cache, 'bin/dagster'), ['job', 'execute', '-f', script('dagster_chain.py'), '-j', 'chain'], options),
      'Prefect, one process': () => run(python, [script('prefect_chain.py')], options),
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}
