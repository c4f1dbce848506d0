import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startEmbedded } from '@svc/db/embedded';
import { killOnExit } from './end-with-process.ts';
import { appProgram, nodeFlags, type RunningService, startProgram, withoutSettings } from './service.ts';

const log = { info() {}, warn() {}, error() {}, debug() {} };

/** A server and a worker in processes of their own, on one database and one folder. */
export interface ServiceParts {
  server: RunningService;
  workerPid: number;
  stop: () => Promise<void>;
}

/** @param env of each program, beside its settings */
export async function startParts(
  home: string,
  env: Partial<Record<'server' | 'worker', Record<string, string>>> = {},
): Promise<ServiceParts> {
  const postgres = await startEmbedded({ dataDir: join(home, 'postgres'), log: log as never });
  const shared = {
    SVC_DATABASE_URL: postgres.url,
    SVC_STORAGE__LOCATION: join(home, 'warehouse'),
    SVC_SECRETS__KEY: Buffer.alloc(32, 1).toString('base64'),
  };
  const server = await startProgram('server', home, { ...shared, ...env.server });
  const own = { SVC_HOME: home, SVC_PUBLIC_URL: server.url, SVC_LOG__LEVEL: 'error' };
  const worker = spawn(process.execPath, [...nodeFlags(), appProgram('worker')], {
    env: { ...withoutSettings(), ...shared, ...own, ...env.worker },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  killOnExit(worker);
  const stop = async () => {
    const exited = once(worker, 'exit');
    worker.kill('SIGTERM');
    await exited;
    await server.stop();
    await postgres.stop();
  };
  return { server, workerPid: worker.pid!, stop };
}
