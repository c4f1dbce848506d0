import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { type ObjectStore, openLocalStore } from '@svc/lake/storage';
import { removeOrphans } from '@svc/worker/sweep';
import type { WorkStep } from '@svc/worker/work';
import { pino } from 'pino';
import { clientSide, TOKEN } from './test-service.ts';

const HOOKS = new URL('../../../../scripts/typescript.mjs', import.meta.url).href;
const CLOCK = new URL('./skewed-clock.mjs', import.meta.url).href;
const DAY_MS = 24 * 3_600_000;

/** A process of the cluster. */
export interface Part {
  child: ChildProcess;
  /** Resolves with the signal or code with which it exited. */
  exited: Promise<NodeJS.Signals | number>;
  kill: () => Promise<NodeJS.Signals | number>;
  /** Stops it and waits. */
  stop: () => Promise<NodeJS.Signals | number>;
}

/** One server and any number of workers, each a process that can be killed, on one database and one folder. */
export interface Cluster extends ReturnType<typeof clientSide> {
  folder: string;
  database: TestDatabase;
  store: ObjectStore;
  server: Part;
  /** Another server on the same database, on a machine whose clock is wrong by so many milliseconds (default: right). */
  startServer: (skewMs?: number) => Promise<Part & { url: string }>;
  /**
   * A worker that is ready. At the step, it kills itself, pauses with SIGSTOP until SIGCONT, or throws once: a defect or
   * the error of a database whose disk is full.
   */
  startWorker: (at?: WorkStep, signal?: 'SIGKILL' | 'SIGSTOP' | 'throw' | 'full') => Promise<Part>;
  /** A worker on a machine whose clock is wrong by so many milliseconds. */
  startSkewedWorker: (skewMs: number) => Promise<Part>;
  /** Runs the orphan sweep as of two days from now; returns the number of removed files. */
  sweep: () => Promise<number>;
  stop: () => Promise<void>;
}

/** These settings override those of every test. */
export async function startCluster(settings: Record<string, string> = {}): Promise<Cluster> {
  const database = await createTestDatabase({ poolSize: 3 });
  const folder = await mkdtemp(join(tmpdir(), 'svc-cluster-'));
  const warehouse = join(folder, 'warehouse');
  const env = {
    PATH: process.env['PATH'],
    SVC_LISTEN: '127.0.0.1:0',
    SVC_SQL__LISTEN: '',
    SVC_HOME: folder,
    SVC_DATABASE_URL: database.url,
    SVC_STORAGE__LOCATION: warehouse,
    SVC_BOOTSTRAP_TOKEN: TOKEN,
    SVC_SECRETS__KEY: Buffer.alloc(32, 7).toString('base64'),
    SVC_WORKER__LEASE_SECONDS: '2',
    SVC_QUERY__THREADS: '1',
    SVC_RUN__SWEEP_INTERVAL: '0',
    // So that tests of everything else also run on machines that can't isolate tasks.
    SVC_RUN__ISOLATION: 'auto',
    SVC_LOG__LEVEL: 'fatal',
    ...settings,
  };
  const parts: Part[] = [];
  const start = async (file: string, more: Record<string, string>, ...args: string[]) => {
    const { part, message } = await startPart(file, { ...env, ...more }, args);
    parts.push(part);
    return { part, message };
  };
  const startServer = async (skewMs = 0) => {
    const { part, message } = await start('./server-process.ts', { TEST_CLOCK_SKEW_MS: String(skewMs) });
    return { ...part, url: message };
  };
  const startWorker = async (more: Record<string, string>, ...args: string[]) =>
    (await start('./worker-process.ts', { SVC_PUBLIC_URL: server.url, ...more }, ...args)).part;
  const server = await startServer();
  const store = await openLocalStore(warehouse);
  return {
    ...clientSide(server.url, warehouse),
    folder,
    database,
    store,
    server,
    startServer,
    startWorker: (at, signal = 'SIGKILL') => startWorker({}, ...(at ? [at, signal] : [])),
    startSkewedWorker: (skewMs) => startWorker({ TEST_CLOCK_SKEW_MS: String(skewMs) }),
    async sweep() {
      const clock = () => new Date(Date.now() + 2 * DAY_MS);
      const { files } = await removeOrphans(
        { db: database.db, store, clock, log: pino({ level: 'silent' }) },
        new AbortController().signal,
      );
      return files!;
    },
    async stop() {
      for (const { child } of parts) child.kill('SIGCONT');
      await Promise.all(parts.map((part) => part.stop()));
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startPart(file: string, env: NodeJS.ProcessEnv, args: string[]) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    env,
    execArgv: [
      '--conditions=@svc/source',
      '--disable-warning=ExperimentalWarning',
      `--import=${HOOKS}`,
      `--import=${CLOCK}`,
    ],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(([code, signal]) => (signal ?? code) as NodeJS.Signals | number);
  const stop = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exited;
  };
  const message = await Promise.race([
    once(child, 'message').then(([text]) => String(text)),
    exited.then((how) => Promise.reject(new Error(`${file} exited with ${how} before it was ready`))),
  ]);
  return { part: { child, exited, kill: () => stop('SIGKILL'), stop: () => stop('SIGTERM') }, message };
}
