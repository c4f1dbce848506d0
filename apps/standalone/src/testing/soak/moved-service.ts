import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Database, openDatabase, silent } from '@svc/db/connection';
import { startEmbedded } from '@svc/db/embedded';
import { clientSide, TOKEN } from '../test-service.ts';
import type { ProcessRequest, ResourceUsage } from './process.ts';

const HOOKS = new URL('../../../../../scripts/typescript.mjs', import.meta.url).href;
const PROGRAM = fileURLToPath(new URL('./process.ts', import.meta.url));

/** The built standalone service with its own database, in its own process, with a clock that can be set. */
export interface MovedService extends ReturnType<typeof clientSide> {
  folder: string;
  warehouse: string;
  db: Database;
  /** Milliseconds since 1970 to which the clock was last set; it continues from there. */
  now: () => number;
  /** Sets the clock, never back, and waits for one iteration of the loop, or of every loop. */
  moveTo: (time: number, loop?: string) => Promise<void>;
  measure: () => Promise<ResourceUsage>;
  stop: () => Promise<void>;
}

/** @param start milliseconds since 1970, before the system's time: files written now are young until they are aged */
export async function startMovedService(start: number, env: Record<string, string>): Promise<MovedService> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-soak-'));
  // When run by root, the database runs as another account, which must be able to read this folder.
  await chmod(folder, 0o755);
  const home = join(folder, 'home');
  const child = fork(PROGRAM, [String(start)], {
    env: {
      PATH: process.env['PATH'],
      SVC_LISTEN: '127.0.0.1:0',
      SVC_SQL__LISTEN: '',
      SVC_HOME: home,
      SVC_BOOTSTRAP_TOKEN: TOKEN,
      SVC_QUERY__THREADS: '1',
      SVC_LOG__LEVEL: 'error',
      ...env,
    },
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning', `--import=${HOOKS}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const early = exited.then(([how]) => Promise.reject(new Error(`the service exited with ${how}`)));
  early.catch(() => {});
  const [url] = (await Promise.race([once(child, 'message'), early])) as [string];
  const server = await startEmbedded({ dataDir: join(home, 'postgres'), log: silent });
  const db = await openDatabase({ url: server.url, log: silent, poolSize: 2 });
  const request = async <T>(message: ProcessRequest) => (await Promise.race([send(child, message), early])) as T;
  const warehouse = join(home, 'warehouse');
  let [now, aged] = [start, Date.now()];
  return {
    ...clientSide(url, warehouse),
    folder,
    warehouse,
    db,
    now: () => now,
    async moveTo(time, loop) {
      if (loop === undefined) aged = await age(home, { since: aged, to: new Date(now) });
      now = Math.max(now, time);
      await request({ to: now, tick: loop ?? null });
    },
    measure: () => request<ResourceUsage>('measure'),
    async stop() {
      await db.close();
      await server.release();
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function send(child: ChildProcess, message: ProcessRequest): Promise<unknown> {
  const answered = once(child, 'message');
  child.send(message);
  const [{ answer }] = (await answered) as [{ answer: unknown }];
  return answer;
}

/** Sets the times of files written since then to the set clock, because the sweep keeps young ones. Returns when it started. */
async function age(home: string, { since, to }: { since: number; to: Date }): Promise<number> {
  const began = Date.now();
  for (const part of ['warehouse', 'work']) {
    await mkdir(join(home, part), { recursive: true });
    for (const entry of await readdir(join(home, part), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const stats = await stat(path).catch(() => null);
      if (stats !== null && stats.mtimeMs >= since) await utimes(path, to, to).catch(() => {});
    }
  }
  return began;
}
