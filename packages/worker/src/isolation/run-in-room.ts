import { constants } from 'node:os';
import { type ChildOptions, type ChildResult, runChild } from '../runs/programs/child-process.ts';
import { type Isolation, isolate, type Room } from './isolate.ts';
import { tracePath } from './trace-path.ts';

/** Runs a program to its end, in a room of its own where the worker makes rooms. Never rejects, as {@link runChild}. */
export async function runInRoom(isolation: Isolation, room: Room, options: ChildOptions): Promise<ChildResult> {
  if (isolation.kind === 'none') return runChild(options);
  if (isolation.kind === 'missing') return notStarted(isolation.why);
  if ((await tracePath(options.command)) === null) return notStarted(`there is no ${options.command}`);
  const result = await runChild({ ...options, ...(await isolate(isolation, room, options)) });
  const killed = result.exitCode === null ? undefined : SIGNALS.get(result.exitCode - KILLED);
  return killed === undefined ? result : { ...result, exitCode: null, signal: killed };
}

const notStarted = (why: string): ChildResult => ({
  exitCode: null,
  signal: null,
  ended: 'not-started',
  stdout: '',
  stderr: why,
});

/** bubblewrap tells in the manner of a shell that its program was ended by a signal. */
const KILLED = 128;
const SIGNALS = new Map(Object.entries(constants.signals).map(([name, n]) => [n as number, name as NodeJS.Signals]));
