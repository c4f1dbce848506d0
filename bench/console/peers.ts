import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../scripts/testing/free-port.mjs';
import { installPackages } from '../service/python-packages.ts';

const run = promisify(execFile);
const START_MS = 120_000;

/** The web interface of another orchestrator. */
export interface Peer {
  readonly name: string;
  /** The page that lists runs. */
  readonly url: string;
  readonly stop: () => void;
}

/** Starts the web interfaces of Dagster and Airflow, as far as they can be installed; each knows one small pipeline. */
export async function startPeers(): Promise<Peer[]> {
  return [...(await dagster()), ...(await airflow())];
}

async function dagster(): Promise<Peer[]> {
  const bin = await installPackages('bench-console-dagster', ['dagster==1.13.28', 'dagster-webserver==1.13.28']);
  if (bin === null) return [];
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-dagster-'));
  writeFileSync(join(home, 'dagster.yaml'), 'telemetry:\n  enabled: false\n');
  const port = await freePort();
  const args = ['-h', '127.0.0.1', '-p', String(port), '-f', pipeline('dagster_chain.py')];
  const env = { DAGSTER_HOME: home };
  return [
    await start('Dagster', {
      program: join(bin, 'dagster-webserver'),
      args,
      env,
      home,
      url: `http://127.0.0.1:${port}/runs`,
    }),
  ];
}

async function airflow(): Promise<Peer[]> {
  const bin = await installPackages('bench-airflow', ['apache-airflow==3.3.2']);
  if (bin === null) return [];
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-airflow-'));
  mkdirSync(join(home, 'dags'));
  const env = {
    AIRFLOW_HOME: home,
    AIRFLOW__CORE__LOAD_EXAMPLES: 'False',
    AIRFLOW__CORE__DAGS_FOLDER: join(home, 'dags'),
    AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS: 'True',
  };
  await run(join(bin, 'airflow'), ['db', 'migrate'], {
    env: { ...process.env, ...env },
    cwd: home,
    maxBuffer: 2 ** 26,
  });
  const port = await freePort();
  const args = ['api-server', '--host', '127.0.0.1', '--port', String(port), '--workers', '1'];
  return [
    await start('Airflow', { program: join(bin, 'airflow'), args, env, home, url: `http://127.0.0.1:${port}/dags` }),
  ];
}

const pipeline = (name: string): string => fileURLToPath(new URL(`../runs/peers/${name}`, import.meta.url));

interface Server {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly url: string;
}

async function start(name: string, { program, args, env, home, url }: Server): Promise<Peer> {
  const child: ChildProcess = spawn(program, args, {
    env: { ...process.env, ...env },
    cwd: home,
    stdio: 'ignore',
    // A process group of its own, because these servers start others.
    detached: true,
  });
  const stop = () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
    rmSync(home, { recursive: true, force: true });
  };
  for (const deadline = performance.now() + START_MS; performance.now() < deadline && child.exitCode === null; ) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return { name, url, stop };
    await delay(500);
  }
  stop();
  throw new Error(`${name} did not start.`);
}
