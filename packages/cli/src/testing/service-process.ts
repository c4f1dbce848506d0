import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
export const TOKEN = 'administrator-of-the-command-line-tests';

export interface ServiceProcess {
  url: string;
  /** Location that external tables may use. */
  external: string;
  stop(): Promise<void>;
}

/** Starts the whole service, built, in its own process, database and folder. */
export async function startServiceProcess(): Promise<ServiceProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-cli-e2e-'));
  const external = join(folder, 'external');
  const child = spawn(process.execPath, ['apps/standalone/dist/bundle/main.js'], {
    cwd: root,
    env: {
      ...process.env,
      SVC_HOME: join(folder, 'home'),
      SVC_LISTEN: '127.0.0.1:0',
      SVC_SQL__LISTEN: '',
      SVC_BOOTSTRAP_TOKEN: TOKEN,
      // So that tests of everything else also run on machines that can't isolate tasks.
      SVC_RUN__ISOLATION: 'auto',
      SVC_LOG__LEVEL: 'error',
      SVC_STORAGE__EXTERNAL_LOCATIONS: external,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    return { url: await waitForAddress(child), external, stop: () => stopProcess(child, folder) };
  } catch (error) {
    await stopProcess(child, folder);
    throw error;
  }
}

function waitForAddress(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const listen = (piece: Buffer) => {
      output += piece.toString();
      const url = /svc is ready at (\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.on('exit', (code) => reject(new Error(`The service exited with ${code}: ${output}`)));
  });
}

async function stopProcess(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exited;
  }
  await rm(folder, { recursive: true, force: true });
}
