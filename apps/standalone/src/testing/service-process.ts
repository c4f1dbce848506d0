import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { clientSide, TOKEN } from './test-service.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const MAIN = 'apps/standalone/dist/bundle/main.js';

/** The data of a service: a database and a folder, which outlive its process. */
export interface ServiceHome {
  folder: string;
  database: TestDatabase;
  /** Stops processes that still use it, as after a failed test. */
  remove: () => Promise<void>;
  running: Set<ServiceProcess>;
}

export async function makeServiceHome(): Promise<ServiceHome> {
  const database = await createTestDatabase({ poolSize: 2 });
  const folder = await mkdtemp(join(tmpdir(), 'svc-process-'));
  const running = new Set<ServiceProcess>();
  const remove = async () => {
    for (const service of running) await service.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, database, remove, running };
}

/** The standalone service as users start it: a separate process, built. */
export interface ServiceProcess extends ReturnType<typeof clientSide> {
  pid: number;
  /** Resolves when the process reports that it is ready. */
  ready: Promise<void>;
  /** The exit code or signal. */
  exited: Promise<number | NodeJS.Signals>;
  /** Everything it has written so far. */
  output: () => string;
  /** Stops it, and resolves as `exited` does. */
  stop: () => Promise<number | NodeJS.Signals>;
}

/** Starts the process and resolves as soon as its API listens, which is before it is ready. */
export async function startServiceProcess(
  { folder, database, running }: ServiceHome,
  settings: Record<string, string> = {},
  [command, ...args]: readonly string[] = [process.execPath, MAIN],
  cwd = ROOT,
): Promise<ServiceProcess> {
  const child = spawn(command!, args, {
    cwd,
    env: {
      ...process.env,
      SVC_LISTEN: '127.0.0.1:0',
      SVC_SQL__LISTEN: '',
      SVC_HOME: join(folder, 'home'),
      SVC_DATABASE_URL: database.url,
      SVC_BOOTSTRAP_TOKEN: TOKEN,
      SVC_QUERY__THREADS: '1',
      // So that tests of everything else also run on machines that can't isolate tasks.
      SVC_RUN__ISOLATION: 'auto',
      SVC_LOG__LEVEL: 'info',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = once(child, 'exit').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals);
  const died = exited.then((how) => Promise.reject(new Error(`the service exited with ${how}: ${output}`)));
  died.catch(() => undefined);
  const printed = (pattern: RegExp) =>
    Promise.race([
      died,
      new Promise<string>((resolve) => {
        const check = () => {
          const found = pattern.exec(output);
          if (found !== null) resolve(found[1]!);
        };
        for (const stream of [child.stdout, child.stderr]) stream.on('data', check);
        check();
      }),
    ]);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
  const ready = printed(/svc is ready at (\S+)/).then(() => undefined);
  ready.catch(() => undefined);
  const url = await printed(/"url":"([^"]+)","msg":"the API listens"/);
  const service: ServiceProcess = {
    ...clientSide(url, join(folder, 'home', 'warehouse')),
    pid: child.pid!,
    ready,
    exited,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
  running.add(service);
  void exited.then(() => running.delete(service));
  return service;
}
