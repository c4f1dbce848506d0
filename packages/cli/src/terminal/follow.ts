import type { Run, RunTask, SvcClient } from '@svc/sdk';
import { CliError, EXIT } from '../cli-error.ts';
import { FINISHED_STATUSES } from '../generated/known.ts';
import { escaped } from '../output/escape.ts';
import { duration, plural } from '../output/format.ts';
import { failureLine } from '../texts/run-text.ts';
import type { Io } from './io.ts';
import { withProgress } from './progress.ts';

/** Seconds that one request waits for the run to finish: how soon the progress of a task shows. */
const POLL_SECONDS = 1;

export interface FollowOptions {
  client: SvcClient;
  io: Io;
  env: string;
  /** Seconds; undefined to follow the run until it finishes. */
  timeout: number | undefined;
}

/**
 * Prints the progress of a run on standard error until it finishes.
 * @throws CliError on Ctrl-C (the run continues) and on timeout
 */
export async function followRun(run: Run, { client, io, env, timeout }: FollowOptions): Promise<Run> {
  const seen = new Map<string, string>();
  const controller = new AbortController();
  const release = io.onInterrupt(() => controller.abort(new Error('interrupted')));
  const deadline = timeout === undefined ? Number.POSITIVE_INFINITY : io.now().getTime() + timeout * 1000;
  try {
    let current = run;
    return await withProgress(
      io,
      () => progressOf(current),
      async (print) => {
        for (;;) {
          printTasks(current.tasks, seen, print);
          if (FINISHED_STATUSES.some((status) => status === current.status)) return current;
          const left = (deadline - io.now().getTime()) / 1000;
          if (left <= 0) throw timedOut(current, env, timeout ?? 0);
          const wait = Math.max(1, Math.min(POLL_SECONDS, Math.ceil(left)));
          current = await client.runs.get(env, current.id, { wait, signal: controller.signal });
        }
      },
    );
  } catch (error) {
    if (controller.signal.aborted) throw detached(run, env);
    throw error;
  } finally {
    release();
  }
}

/** The command that follows a run again. */
export const resumeCommand = (run: Pick<Run, 'id'>, env: string) => `svc runs show ${run.id} --env ${env} --follow`;

const timedOut = (run: Run, env: string, seconds: number) =>
  new CliError(
    `The run ${run.id} didn't finish within ${seconds} s. It continues.`,
    EXIT.failed,
    resumeCommand(run, env),
  );

const detached = (run: Run, env: string) =>
  new CliError(`Stopped following the run ${run.id}. It continues.`, EXIT.interrupted, resumeCommand(run, env));

/** The current activity. Before the first task, the worker builds the project's Python environment if it needs one. */
function progressOf({ status, tasks }: Run): string {
  if (status === 'queued') return 'Queued';
  const running = tasks.filter((task) => task.status === 'running').map(({ asset }) => asset);
  const done = tasks.filter((task) => !['queued', 'running'].includes(task.status)).length;
  const what = running.length === 0 ? 'preparing' : running.join(', ');
  return `Running ${done} of ${tasks.length}: ${what}`;
}

function printTasks(tasks: readonly RunTask[], seen: Map<string, string>, print: (text: string) => void): void {
  for (const task of tasks) {
    if (seen.get(task.asset) === task.status) continue;
    seen.set(task.asset, task.status);
    if (task.status !== 'queued') print(`${taskLine(task)}\n`);
  }
}

function taskLine({ asset, status, rows, error, checks = [], started_at, ended_at }: RunTask): string {
  const warned = checks.filter((check) => check.status === 'warned').map(({ name }) => name);
  const facts = [
    ...(rows === null ? [] : [plural(rows, 'row')]),
    ...(started_at && ended_at ? [duration(started_at, ended_at)] : []),
    ...(error === null ? [] : [failureLine({ error })]),
    ...(warned.length === 0 ? [] : [`warned: ${warned.join(', ')}`]),
  ];
  return escaped(`${status.padEnd(9)} ${asset}${facts.length > 0 ? `  ${facts.join(', ')}` : ''}`);
}
