import { spawn } from 'node:child_process';
import { diesWithParent } from './dies-with-parent.ts';
import type { TextFilter } from './redaction.ts';

/** One program run to its end in a process group of its own. */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing of the worker's own passes through. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the group is killed; absent: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Every line of output as it comes, without its end; over-long ones arrive in pieces. */
  readonly onLine?: (stream: 'stdout' | 'stderr', line: string) => void;
  /** What each stream goes through before anything is made of it: made once a stream. */
  readonly filter?: () => TextFilter;
  /** Bytes of each stream that are kept for the answer (the last ones of stderr, the first ones of stdout). */
  readonly keepBytes?: number;
  /** Called when the program has started; what it returns is called at its end and waited for. */
  readonly watch?: (child: WatchedChild) => () => Promise<void>;
}

/** A program that somebody watches. */
export interface WatchedChild {
  readonly pid: number;
  /** Kills the group at once, for being over a limit. */
  readonly kill: () => void;
}

export interface ChildResult {
  /** Null when it could not be started or was killed. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it was ended by us, or could not be started. */
  readonly ended: 'by-itself' | 'timeout' | 'aborted' | 'over-limit' | 'not-started';
  readonly stdout: string;
  readonly stderr: string;
}

/** Bytes after which a line is passed on though its end has not come. */
const LONGEST_LINE = 16_384;
/** Milliseconds between asking a group to end and killing it, and that pipes may stay open after their program ended. */
const GRACE_MS = 2_000;

/** Splits a stream of bytes into lines; UTF-8 sequences are never cut. */
function lineSplitter(onLine: (line: string) => void): { push(text: string): void; end(): void } {
  let rest = '';
  return {
    push(text) {
      rest += text;
      const lines = rest.split(/\r\n|[\r\n]/);
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
      if (rest.length >= LONGEST_LINE) {
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

/** Sends a signal to a whole process group; one that has ended already is no error. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

let running = 0;

/** Programs that this process has started and that have not ended. */
export const runningChildren = (): number => running;

/**
 * Runs a program as the leader of a new process group. When it ends, and when the limit or the signal ends it, the whole
 * group is killed, so nothing that it started stays behind; what left the group is not waited for. Never rejects: not being able to start is an answer too.
 */
export function runChild(options: ChildOptions): Promise<ChildResult> {
  const keep = options.keepBytes ?? 65_536;
  return new Promise((resolve) => {
    if (options.signal?.aborted) {
      resolve({ exitCode: null, signal: null, ended: 'aborted', stdout: '', stderr: '' });
      return;
    }
    const { command, args } = diesWithParent(options);
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...options.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running++;
    let ended: ChildResult['ended'] = 'by-itself';
    let hardKill: NodeJS.Timeout | undefined;
    const stop = (why: ChildResult['ended']): void => {
      if (ended !== 'by-itself') return;
      ended = why;
      signalGroup(child.pid, 'SIGTERM');
      hardKill = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), GRACE_MS);
    };
    const kill = (): void => {
      if (ended === 'by-itself') ended = 'over-limit';
      // After its end the group is killed already, and its number may be another's.
      if (child.exitCode === null && child.signalCode === null) signalGroup(child.pid, 'SIGKILL');
    };
    const unwatch = child.pid === undefined ? undefined : options.watch?.({ pid: child.pid, kill });
    const onAbort = (): void => stop('aborted');
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const limit = options.timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), options.timeoutMs);

    const kept = { stdout: '', stderr: '' };
    const flushes: (() => void)[] = [];
    for (const name of ['stdout', 'stderr'] as const) {
      const stream = child[name];
      const lines = lineSplitter((line) => options.onLine?.(name, line));
      const filter = options.filter?.();
      const take = (text: string): void => {
        lines.push(text);
        kept[name] = name === 'stdout' ? (kept.stdout + text).slice(0, keep) : (kept.stderr + text).slice(-keep);
      };
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => take(filter === undefined ? text : filter.push(text)));
      let flushed = false;
      const flush = (): void => {
        if (flushed) return;
        flushed = true;
        if (filter !== undefined) take(filter.end());
        lines.end();
      };
      flushes.push(flush);
      stream.on('end', flush);
    }
    let leftOpen: NodeJS.Timeout | undefined;
    const letGo = (): void => {
      for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners('data').destroy();
      for (const flush of flushes) flush();
    };
    let told = false;
    const finish = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
      clearTimeout(limit);
      clearTimeout(hardKill);
      clearTimeout(leftOpen);
      options.signal?.removeEventListener('abort', onAbort);
      if (told) return;
      told = true;
      running--;
      const settle = (): void => resolve({ exitCode, signal, ended, stdout: kept.stdout, stderr: kept.stderr });
      if (unwatch === undefined) settle();
      else void unwatch().finally(settle);
    };
    child.on('error', (error) => {
      ended = 'not-started';
      kept.stderr = error.message;
      finish(null, null);
    });
    // What the leader left running would hold the pipes open for ever: the group ends with it, and what has made a group
    // of its own is not listened to any longer.
    child.on('exit', () => {
      signalGroup(child.pid, 'SIGKILL');
      leftOpen = setTimeout(letGo, GRACE_MS);
    });
    child.on('close', (code, signal) => {
      if (ended !== 'not-started') finish(ended === 'by-itself' ? code : null, signal);
    });
  });
}
