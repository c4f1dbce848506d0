import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../../../scripts/testing/free-port.mjs';

/** A server or a worker of some version, as an operator starts it. */
export interface Program {
  child: ChildProcess;
  url: string;
  /** Sends SIGTERM and returns the exit code. */
  drain: () => Promise<number | null>;
}

function start(folder: string, app: 'server' | 'worker', env: Record<string, string>): ChildProcess {
  // What the images run; older versions had no bundles.
  const bundle = join(folder, 'apps', app, 'dist/bundle/main.js');
  const main = existsSync(bundle) ? bundle : join(folder, 'apps', app, 'dist/main.js');
  return spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function programOf(child: ChildProcess, url: string): Program {
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    child,
    url,
    drain() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** The server of the version in this folder, as soon as it is ready. */
export async function startServer(folder: string, settings: Record<string, string>): Promise<Program> {
  const listen = `127.0.0.1:${await freePort()}`;
  const program = programOf(start(folder, 'server', { ...settings, SVC_LISTEN: listen }), `http://${listen}`);
  await ready(program, `${program.url}/readyz`);
  return program;
}

/** The worker of the version in this folder, as soon as it is ready; its tasks reach the server at `api`. */
export async function startWorker(folder: string, settings: Record<string, string>, api: string): Promise<Program> {
  const listen = `127.0.0.1:${await freePort()}`;
  const env = { ...settings, SVC_PUBLIC_URL: api, SVC_WORKER__METRICS_LISTEN: listen };
  const program = programOf(start(folder, 'worker', env), api);
  await ready(program, `http://${listen}/readyz`);
  return program;
}

async function ready({ child }: Program, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the program exited with ${child.exitCode} before it was ready`);
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    // Each check takes time from the machine that the program starts on.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The output of `svc-admin` of the version in this folder. @throws if it fails */
export function admin(folder: string, settings: Record<string, string>, ...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', ...settings };
  return new Promise((done, fail) => {
    execFile(
      process.execPath,
      [join(folder, 'apps/standalone/dist/admin.js'), ...args],
      { env },
      (error, stdout, stderr) =>
        error === null ? done(stdout) : fail(new Error(`svc-admin ${args.join(' ')}: ${stderr}`, { cause: error })),
    );
  });
}
