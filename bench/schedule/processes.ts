import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { killOnExit } from '../service/end-with-process.ts';

/** Starts a program of this folder and waits until it is ready. */
export async function start(file: string, ...args: string[]): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  killOnExit(child);
  const exitedEarly = once(child, 'exit').then(() => Promise.reject(new Error(`${file} exited before it was ready`)));
  await Promise.race([once(child, 'message'), exitedEarly]);
  exitedEarly.catch(() => {});
  return child;
}

/** What a program answers. */
export async function request<T>(child: ChildProcess, question: string): Promise<T> {
  const response = once(child, 'message');
  child.send(question);
  return (await response)[0] as T;
}

/** Ends programs and waits for them. */
export async function end(children: readonly ChildProcess[], signal?: NodeJS.Signals): Promise<void> {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      if (signal === undefined) child.disconnect();
      else child.kill(signal);
      await exited;
    }),
  );
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
