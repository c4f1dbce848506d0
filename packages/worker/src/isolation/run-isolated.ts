import { constants } from 'node:os';
import { systemCallFilter } from '@svc/lake/confinement';
import { type ChildOptions, type ChildResult, runChild } from '../programs/child-process.ts';
import { isolate } from './bubblewrap.ts';
import { confine } from './landlock.ts';
import type { Bubblewrap, Isolation, Landlock, Program, SandboxPaths } from './sandbox.ts';
import { tracePath } from './trace-path.ts';

export interface IsolatedProgram extends ChildOptions {
  /** Wraps the program, sandbox included, outside the sandbox; if absent, the program starts as it is. */
  readonly wrap?: (program: Program) => Program;
}

/**
 * Runs a program to completion, in its own sandbox if the worker creates sandboxes. Never rejects, like {@link
 * runChild}.
 */
export async function runIsolated(
  isolation: Isolation,
  paths: SandboxPaths,
  options: IsolatedProgram,
): Promise<ChildResult> {
  const { wrap = (program) => program } = options;
  if (isolation.kind === 'none') return runChild({ ...options, ...wrap(options) });
  if (isolation.kind === 'missing') return notStarted(isolation.reason);
  if ((await tracePath(options.command)) === null) return notStarted(`${options.command} doesn't exist`);
  const result = await runChild({ ...options, ...(await start(isolation, paths, options, wrap)) });
  const killed = result.exitCode === null ? undefined : SIGNALS.get(result.exitCode - KILLED);
  return killed === undefined ? result : { ...result, exitCode: null, signal: killed };
}

async function start(
  isolation: Bubblewrap | Landlock,
  paths: SandboxPaths,
  program: Program,
  wrap: (program: Program) => Program,
): Promise<Program & { descriptor?: Buffer }> {
  if (isolation.kind === 'landlock') return wrap(await confine(isolation, paths, program));
  const filter = isolation.filtersCalls ? { descriptor: systemCallFilter(process.arch)! } : {};
  return { ...filter, ...wrap(await isolate(isolation, paths, program)) };
}

const notStarted = (reason: string): ChildResult => ({
  exitCode: null,
  signal: null,
  outcome: 'not-started',
  stdout: '',
  stderr: reason,
});

/** Like a shell, bubblewrap and the launcher of Landlock add this to the number of the signal that killed its program. */
const KILLED = 128;
const SIGNALS = new Map(Object.entries(constants.signals).map(([name, n]) => [n as number, name as NodeJS.Signals]));
