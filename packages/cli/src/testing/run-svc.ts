import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../main.ts';
import type { Io } from '../terminal/io.ts';

// oclif adds a listener whenever a test file loads it.
process.stdout.setMaxListeners(0);

export interface RunOptions {
  url?: string;
  columns?: number;
  env?: Record<string, string>;
  stdin?: string;
  /** Makes standard input and error a terminal that answers prompts with this. */
  confirms?: boolean;
  /** What prompts for text are answered with (default: `ann`). */
  text?: string;
  /** Presses Ctrl-C as soon as the command listens for it. */
  interrupts?: boolean;
  /** Presses Ctrl-C in this pause of the command, starting at 1. */
  interruptsPause?: number;
  /** Makes standard output a terminal. */
  terminal?: boolean;
  now?: () => Date;
  configFolder?: string;
}

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process with its own input and output, and without profiles unless `configFolder` has some. */
export async function svc(argv: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const own = options.configFolder === undefined ? await mkdtemp(join(tmpdir(), 'svc-cli-')) : null;
  const env = options.url === undefined ? {} : { SVC_URL: options.url, SVC_TOKEN: 'test-token' };
  let pauses = 0;
  const listeners = new Set<() => void>();
  const io: Io = {
    stdout: (text) => void out.push(text),
    stderr: (text) => void err.push(text),
    stdin: bytesOf(options.stdin ?? ''),
    env: { ...env, ...options.env },
    interactive: options.confirms !== undefined,
    terminal: options.terminal ?? false,
    columns: options.columns,
    configFolder: options.configFolder ?? own ?? '',
    now: options.now ?? (() => new Date('2026-03-01T08:00:00Z')),
    pause: async (_, signal) => {
      pauses += 1;
      if (pauses === options.interruptsPause) for (const act of listeners) act();
      // Like a real pause, lets other work continue.
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    },
    onInterrupt: (act) => {
      listeners.add(act);
      if (options.interrupts) setImmediate(act);
      return () => void listeners.delete(act);
    },
    pipe: async (pieces) => {
      for await (const piece of pieces) out.push(Buffer.from(piece).toString('utf8'));
    },
    prompt: {
      confirm: async () => options.confirms ?? false,
      text: async () => options.text ?? 'ann',
      password: async () => 'correct horse battery',
    },
  };
  try {
    const code = await run(argv, io);
    return { code, stdout: out.join(''), stderr: err.join('') };
  } finally {
    if (own !== null) await rm(own, { recursive: true, force: true });
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
