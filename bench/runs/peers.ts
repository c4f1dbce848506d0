import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPackages } from '../service/python-packages.ts';

const run = promisify(execFile);
const script = (name: string): string => fileURLToPath(new URL(`./peers/${name}`, import.meta.url));

/** The same chain of 10 Python tasks on other orchestrators, each call from the start of its program to its end. */
export interface Peers {
  readonly chains: Readonly<Record<string, () => Promise<unknown>>>;
  readonly close: () => void;
}

/** Installs the peers; Airflow needs an environment of its own. Null if that isn't possible. */
export async function openPeers(): Promise<Peers | null> {
  const bin = await installPackages('bench-runs', ['dagster==1.13.29', 'prefect==3.9.1']);
  const airflow = await installPackages('bench-airflow', ['apache-airflow==3.3.2']);
  if (bin === null || airflow === null) return null;
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
  await run(join(airflow, 'airflow'), ['db', 'migrate'], options);
  return {
    chains: {
      'Dagster, a process per task': () =>
        run(join(bin, 'dagster'), ['job', 'execute', '-f', script('dagster_chain.py'), '-j', 'chain'], options),
      'Prefect, one process': () => run(join(bin, 'python'), [script('prefect_chain.py')], options),
      'Airflow, one process': () => run(join(airflow, 'python'), [script('airflow_chain.py')], options),
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}
