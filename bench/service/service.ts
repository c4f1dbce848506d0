import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SvcClient } from '@svc/sdk';
import { freePort } from '../../scripts/testing/free-port.mjs';
import { killOnExit } from './end-with-process.ts';

export const TOKEN = 'bench-administrator-token';
const POLL_MS = 5;

/** A built program of the service, running with a folder of its own. */
export interface RunningService {
  url: string;
  home: string;
  pid: number;
  client: SvcClient;
  /** Milliseconds from the start of the process to the first 200 of /readyz. */
  readyMs: number;
  stop: () => Promise<void>;
}

export function newHome(): string {
  return mkdtempSync(join(tmpdir(), 'svc-bench-'));
}

export const removeHome = (home: string): void => rmSync(home, { recursive: true, force: true });

export const appProgram = (app: 'standalone' | 'server' | 'worker'): string =>
  fileURLToPath(new URL(`../../apps/${app}/dist/bundle/main.js`, import.meta.url));

/** Such as --cpu-prof, to find out where the time goes. */
export const nodeFlags = (): string[] => process.env['BENCH_NODE_FLAGS']?.split(' ') ?? [];

/** Starts the built standalone service and waits until it is ready. */
export async function startStandalone(home: string, env: Record<string, string> = {}): Promise<RunningService> {
  return startProgram('standalone', home, env);
}

export async function startProgram(
  app: 'standalone' | 'server',
  home: string,
  env: Record<string, string> = {},
): Promise<RunningService> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = spawn(process.execPath, [...nodeFlags(), appProgram(app)], {
    env: {
      ...withoutSettings(),
      SVC_HOME: home,
      SVC_LISTEN: `127.0.0.1:${port}`,
      SVC_SQL__LISTEN: '',
      SVC_BOOTSTRAP_TOKEN: TOKEN,
      SVC_LOG__LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  killOnExit(child);
  await untilReady(child, url);
  const readyMs = performance.now() - started;
  const stop = async () => {
    const exited = once(child, 'exit');
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await exited;
  };
  return { url, home, pid: child.pid!, client: new SvcClient({ url, token: TOKEN }), readyMs, stop };
}

/** The settings of the person who measures do not count. */
export function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_') || /^SVC_RUN__UV/.test(name)),
  );
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service exited with ${child.exitCode}`);
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Resident memory of a process in bytes, 0 if the system doesn't report it; cheap enough to call during a measurement. */
export const residentOf = (pid: number): number => kilobytes(pid, 'status', 'VmRSS') * 1024;

/** Resident and proportional memory in bytes; the latter takes milliseconds, during which the process may have to wait. */
export function memoryOf(pid: number): { resident: number; proportional: number } {
  return { resident: residentOf(pid), proportional: kilobytes(pid, 'smaps_rollup', 'Pss') * 1024 };
}

const kilobytes = (pid: number, file: string, name: string): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(read(`/proc/${pid}/${file}`))?.[1] ?? 0);

/** Process ids of the children and theirs. */
export function descendants(pid: number): number[] {
  const children: number[] = [];
  for (const task of list(`/proc/${pid}/task`)) {
    const text = read(`/proc/${pid}/task/${task}/children`);
    children.push(...text.split(' ').filter(Boolean).map(Number));
  }
  return children.flatMap((child) => [child, ...descendants(child)]);
}

export const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
