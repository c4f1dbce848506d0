import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
export const TOKEN = 'administrator-of-the-command-line-tests';

export interface ServiceProcess {
  url: string;
  /** Files that tables may be made of. */
  external: string;
  stop(): Promise<void>;
}

/** The whole service from its sources, in a process, on a database and folder of its own. */
export async function startServiceProcess(): Promise<ServiceProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-cli-e2e-'));
  const external = join(folder, 'external');
  const flags = ['--import', './scripts/typescript.mjs', '--conditions=@svc/source'];
  const child = spawn(process.execPath, [...flags, 'apps/standalone/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      SVC_HOME: join(folder, 'home'),
      SVC_LISTEN: '127.0.0.1:0',
      SVC_BOOTSTRAP_TOKEN: TOKEN,
      SVC_LOG__LEVEL: 'error',
      SVC_STORAGE__EXTERNAL_LOCATIONS: external,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    return { url: await addressOf(child), external, stop: () => stopped(child, folder) };
  } catch (error) {
    await stopped(child, folder);
    throw error;
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    const listen = (piece: Buffer) => {
      said += piece.toString();
      const url = /svc is ready at (\S+)/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.on('exit', (code) => reject(new Error(`The service ended with ${code}: ${said}`)));
  });
}

async function stopped(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}
