import { spawn } from 'node:child_process';
import { Readable, type Writable } from 'node:stream';
import { withParentDeathSignal } from './parent-death-signal.ts';
import type { TextFilter } from './redaction.ts';

/** A program that runs in its own process group. */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment: no variable of the worker is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input one after the other, each when it is there; if absent, standard input is empty. */
  readonly input?: readonly Promise<string>[];
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the group is killed; if absent, there is no limit. */
  readonly timeoutMs?: number | undefined;
  /** Receives each line of output without its line end. Very long lines arrive in pieces. */
  readonly onLine?: (stream: 'stdout' | 'stderr', line: string) => void;
  /** Creates a filter for each stream, applied before anything else reads it. */
  readonly filter?: () => TextFilter;
  /** Bytes of each stream to return: the last ones of stderr, the first ones of stdout. */
  readonly maxOutputBytes?: number;
  /** Kills the program as soon as its standard output exceeds `maxOutputBytes` (default: the rest is discarded). */
  readonly stopsAtMaxOutput?: boolean;
  /** What the program reads from file descriptor 3. */
  readonly descriptor?: Buffer;
  /** Called when the program has started. The function it returns is called and awaited when the program exits. */
  readonly watch?: (child: WatchedChild) => () => Promise<void>;
}

/** A program that is being watched. */
export interface WatchedChild {
  readonly pid: number;
  /** Kills the group at once because it exceeded a limit. */
  readonly kill: () => void;
}

export interface ChildResult {
  /** Null if the program could not be started or was killed. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether the program exited by itself, was stopped (and why), or could not start. */
  readonly outcome: 'by-itself' | 'timeout' | 'aborted' | 'over-limit' | 'not-started';
  readonly stdout: string;
  readonly stderr: string;
}

/** A line is passed on after this many bytes, even if it is incomplete. */
const MAX_LINE_LENGTH = 16_384;
/** Milliseconds between SIGTERM and SIGKILL, and how long pipes may stay open after the program exits. */
const GRACE_MS = 2_000;

/** Splits a stream into lines; never cuts UTF-8 sequences. */
function lineSplitter(onLine: (line: string) => void): { push(text: string): void; end(): void } {
  let rest = '';
  return {
    push(text) {
      rest += text;
      const lines = rest.split(/\r\n|[\r\n]/);
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
      if (rest.length >= MAX_LINE_LENGTH) {
        onLine(rest);
        rest = '';
      }
    },
    end() {
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}

/** Sends a signal to a whole process group. A group that has exited isn't an error. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function* inOrder(texts: readonly Promise<string>[]): AsyncGenerator<string> {
  for (const text of texts) yield await text;
}

let running = 0;

/** Number of programs that this process has started and that are still running. */
export const runningChildren = (): number => running;

/**
 * Runs a program as the leader of a new process group. When it exits, times out or is aborted, the whole group is
 * killed, so nothing that it started stays behind. Processes that left the group aren't waited for. Never rejects: a
 * failure to start is a result too.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a closure over the state of one process
export function runChild(options: ChildOptions): Promise<ChildResult> {
  const maxBytes = options.maxOutputBytes ?? 65_536;
  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: a closure over the state of one process
  return new Promise((resolve) => {
    if (options.signal?.aborted) {
      resolve({ exitCode: null, signal: null, outcome: 'aborted', stdout: '', stderr: '' });
      return;
    }
    const { command, args } = withParentDeathSignal(options);
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...options.env },
      detached: true,
      stdio: [
        options.input === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        ...(options.descriptor === undefined ? [] : ['pipe' as const]),
      ],
    });
    const descriptor = child.stdio[3] as Writable | undefined;
    descriptor?.on('error', () => undefined).end(options.descriptor);
    running++;
    // A program that has exited reads nothing.
    child.stdin?.on('error', () => undefined);
    if (options.input !== undefined && child.stdin !== null) Readable.from(inOrder(options.input)).pipe(child.stdin);
    let outcome: ChildResult['outcome'] = 'by-itself';
    let hardKill: NodeJS.Timeout | undefined;
    const stop = (why: ChildResult['outcome']): void => {
      if (outcome !== 'by-itself') return;
      outcome = why;
      signalGroup(child.pid, 'SIGTERM');
      hardKill = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), GRACE_MS);
    };
    const kill = (): void => {
      if (outcome === 'by-itself') outcome = 'over-limit';
      // After it exits, the group is already killed, and its id may belong to another process.
      if (child.exitCode === null && child.signalCode === null) signalGroup(child.pid, 'SIGKILL');
    };
    const unwatch = child.pid === undefined ? undefined : options.watch?.({ pid: child.pid, kill });
    const onAbort = (): void => stop('aborted');
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const limit = options.timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), options.timeoutMs);

    const output = { stdout: '', stderr: '' };
    const flushes: (() => void)[] = [];
    for (const name of ['stdout', 'stderr'] as const) {
      const stream = child[name]!;
      const lines = lineSplitter((line) => options.onLine?.(name, line));
      const filter = options.filter?.();
      const append = (text: string): void => {
        lines.push(text);
        if (options.stopsAtMaxOutput && name === 'stdout' && output.stdout.length + text.length > maxBytes) kill();
        output[name] =
          name === 'stdout' ? (output.stdout + text).slice(0, maxBytes) : (output.stderr + text).slice(-maxBytes);
      };
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => append(filter === undefined ? text : filter.push(text)));
      let flushed = false;
      const flush = (): void => {
        if (flushed) return;
        flushed = true;
        if (filter !== undefined) append(filter.end());
        lines.end();
      };
      flushes.push(flush);
      stream.on('end', flush);
    }
    let closeTimer: NodeJS.Timeout | undefined;
    const letGo = (): void => {
      for (const stream of [child.stdout, child.stderr]) stream!.removeAllListeners('data').destroy();
      for (const flush of flushes) flush();
    };
    let reported = false;
    const finish = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
      clearTimeout(limit);
      clearTimeout(hardKill);
      clearTimeout(closeTimer);
      options.signal?.removeEventListener('abort', onAbort);
      if (reported) return;
      reported = true;
      running--;
      const finish = (): void => resolve({ exitCode, signal, outcome, stdout: output.stdout, stderr: output.stderr });
      if (unwatch === undefined) finish();
      else void unwatch().finally(finish);
    };
    child.on('error', (error) => {
      outcome = 'not-started';
      output.stderr = error.message;
      finish(null, null);
    });
    // Processes that the leader left running would keep the pipes open forever. The group is killed with it, and output
    // of processes in other groups is no longer read.
    child.on('exit', () => {
      signalGroup(child.pid, 'SIGKILL');
      closeTimer = setTimeout(letGo, GRACE_MS);
    });
    child.on('close', (code, signal) => {
      if (outcome !== 'not-started') finish(outcome === 'by-itself' ? code : null, signal);
    });
  });
}
