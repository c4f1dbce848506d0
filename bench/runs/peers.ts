import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The environments of the peers, of which Airflow needs its own. */
const PACKAGES = { 'bench-runs': ['dagster==1.13.29', 'prefect==3.9.1'], 'bench-airflow': ['apache-airflow==3.3.2'] };
const script = (name: string): string => fileURLToPath(new URL(`./peers/${name}`, import.meta.url));

/** The same chain of 10 Python tasks on other orchestrators, each call from the start of its program to its end. */
export interface Peers {
  readonly chains: Readonly<Record<string, () => Promise<unknown>>>;
  readonly close: () => void;
}

/** Installs the peers once into the cache of this checkout. Null without uv. */
export async function openPeers(): Promise<Peers | null> {
  const uv = process.env['SVC_RUN__UV'] ?? 'uv';
  const bin = (name: keyof typeof PACKAGES): string =>
    fileURLToPath(new URL(`../../node_modules/.cache/svc/${name}/bin`, import.meta.url));
  try {
    for (const name of Object.keys(PACKAGES) as (keyof typeof PACKAGES)[]) {
      const python = join(bin(name), 'python');
      if (!existsSync(python)) await run(uv, ['venv', '--quiet', join(bin(name), '..')]);
      await run(uv, ['pip', 'install', '--quiet', '--python', python, ...PACKAGES[name]]);
    }
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
    AIRFLOW_HOME: join(home, 'airflow'),
    AIRFLOW__CORE__LOAD_EXAMPLES: 'False',
    AIRFLOW__CORE__DAGS_FOLDER: script(''),
    DO_NOT_TRACK: '1',
  };
  const options = { env, cwd: home, maxBuffer: 2 ** 26 };
  await run(join(bin('bench-airflow'), 'airflow'), ['db', 'migrate'], options);
  return {
    chains: {
      'Dagster, a process per task': () =>
        run(
          join(bin('bench-runs'), 'dagster'),
          ['job', 'execute', '-f', script('dagster_chain.py'), '-j', 'chain'],
          options,
        ),
      'Prefect, one process': () => run(join(bin('bench-runs'), 'python'), [script('prefect_chain.py')], options),
      'Airflow, one process': () => run(join(bin('bench-airflow'), 'python'), [script('airflow_chain.py')], options),
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}
