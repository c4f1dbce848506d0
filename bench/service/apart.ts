import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startEmbedded } from '@svc/db/embedded';
import { killOnExit } from './end-with-process.ts';
import { appProgram, nodeFlags, type RunningService, startProgram, withoutSettings } from './service.ts';

const log = { info() {}, warn() {}, error() {}, debug() {} };

/** Servers and workers in processes of their own, on one database and one folder. */
export interface ServiceParts {
  /** The first of `servers`. */
  server: RunningService;
  servers: RunningService[];
  /** The first of `workerPids`. */
  workerPid: number;
  workerPids: number[];
  postgresPid: number;
  stop: () => Promise<void>;
}

/**
 * @param env of each program, beside its settings
 * @param processes number of servers, and of workers
 */
export async function startParts(
  home: string,
  env: Partial<Record<'server' | 'worker', Record<string, string>>> = {},
  processes = 1,
): Promise<ServiceParts> {
  const postgres = await startEmbedded({ dataDir: join(home, 'postgres'), log: log as never });
  const shared = {
    SVC_DATABASE_URL: postgres.url,
    SVC_STORAGE__LOCATION: join(home, 'warehouse'),
    SVC_SECRETS__KEY: Buffer.alloc(32, 1).toString('base64'),
  };
  const servers: RunningService[] = [];
  const workers: ChildProcess[] = [];
  for (let i = 0; i < processes; i++) {
    const server = await startProgram('server', home, { ...shared, ...env.server });
    servers.push(server);
    const own = { SVC_HOME: join(home, `worker${i}`), SVC_PUBLIC_URL: server.url, SVC_LOG__LEVEL: 'error' };
    const worker = spawn(process.execPath, [...nodeFlags(), appProgram('worker')], {
      env: { ...withoutSettings(), ...shared, ...own, ...env.worker },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    workers.push(killOnExit(worker));
  }
  const stop = async () => {
    for (const worker of workers) {
      const exited = once(worker, 'exit');
      worker.kill('SIGTERM');
      await exited;
    }
    for (const server of servers) await server.stop();
    await postgres.stop();
  };
  const workerPids = workers.map(({ pid }) => pid!);
  return { server: servers[0]!, servers, workerPid: workerPids[0]!, workerPids, postgresPid: postgres.pid, stop };
}
