import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { Io } from './io.ts';

/** The input and output of the process. */
export function processIo(): Io {
  const { env, stdout, stderr } = process;
  return {
    stdout: (text) => void stdout.write(text),
    stderr: (text) => void stderr.write(text),
    // Opened on first use, because that takes some milliseconds that most commands don't need.
    get stdin() {
      return process.stdin;
    },
    env,
    get interactive() {
      return Boolean(process.stdin.isTTY && stderr.isTTY);
    },
    terminal: Boolean(stdout.isTTY),
    columns: stdout.isTTY ? stdout.columns : undefined,
    configFolder: join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'svc'),
    now: () => new Date(),
    pause: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
    onInterrupt: (act) => {
      process.once('SIGINT', act);
      return () => void process.off('SIGINT', act);
    },
    pipe: (chunks) => pipeline(chunks, process.stdout, { end: false }),
    prompt: {
      confirm: async (message) =>
        (await import('./prompts.ts')).confirm({ message, default: false }, { output: stderr }),
      text: async (message) => (await import('./prompts.ts')).input({ message }, { output: stderr }),
      password: async (message) => (await import('./prompts.ts')).password({ message }, { output: stderr }),
    },
  };
}
