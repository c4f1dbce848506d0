import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startEmbedded } from '@svc/db/embedded';
import { appProgram, type RunningService, startProgram, withoutSettings } from './service.ts';

const log = { info() {}, warn() {}, error() {}, debug() {} };

/** A server and a worker in processes of their own, on one database and one folder. */
export interface Apart {
  server: RunningService;
  workerPid: number;
  stop: () => Promise<void>;
}

export async function startApart(home: string): Promise<Apart> {
  const postgres = await startEmbedded({ dataDir: join(home, 'postgres'), log: log as never });
  const shared = {
    SVC_DATABASE_URL: postgres.url,
    SVC_STORAGE__LOCATION: join(home, 'warehouse'),
    SVC_SECRETS__KEY: Buffer.alloc(32, 1).toString('base64'),
  };
  const server = await startProgram('server', home, shared);
  const worker = spawn(process.execPath, [appProgram('worker')], {
    env: { ...withoutSettings(), ...shared, SVC_HOME: home, SVC_PUBLIC_URL: server.url, SVC_LOG__LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async () => {
    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    await ended;
    await server.stop();
    await postgres.stop();
  };
  return { server, workerPid: worker.pid!, stop };
}
