import type { Run, RunTask, SvcClient } from '@svc/sdk';
import { EXIT, Failed } from '../exit.ts';
import { escaped } from '../output/escape.ts';
import { duration, plural } from '../output/format.ts';
import { failureLine } from '../texts/run-text.ts';
import type { Io } from './io.ts';
import { during } from './progress.ts';

/** Seconds that one look at a run waits for its end: how soon a task's progress shows. */
const LOOK_SECONDS = 1;
const ENDED = ['succeeded', 'failed', 'cancelled'];

export interface FollowOptions {
  client: SvcClient;
  io: Io;
  env: string;
  /** Seconds; without it as long as the run lasts. */
  timeout: number | undefined;
}

/**
 * Shows on standard error how a run goes, until it has ended.
 * @throws Failed on Ctrl-C (the run goes on) and when the time is over
 */
export async function followRun(run: Run, { client, io, env, timeout }: FollowOptions): Promise<Run> {
  const seen = new Map<string, string>();
  const controller = new AbortController();
  const release = io.onInterrupt(() => controller.abort(new Error('interrupted')));
  const end = timeout === undefined ? Number.POSITIVE_INFINITY : io.now().getTime() + timeout * 1000;
  try {
    let at = run;
    return await during(
      io,
      () => progressOf(at),
      async (beside) => {
        for (;;) {
          tellTasks(at.tasks, seen, beside);
          if (ENDED.includes(at.status)) return at;
          const left = (end - io.now().getTime()) / 1000;
          if (left <= 0) throw tooLong(at, env, timeout ?? 0);
          const wait = Math.max(1, Math.min(LOOK_SECONDS, Math.ceil(left)));
          at = await client.runs.get(env, at.id, { wait, signal: controller.signal });
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

/** The command that takes up a run again. */
export const resumeCommand = (run: Pick<Run, 'id'>, env: string) => `svc runs show ${run.id} --env ${env} --follow`;

const tooLong = (run: Run, env: string, seconds: number) =>
  new Failed(`The run ${run.id} has not ended within ${seconds} s. It goes on.`, EXIT.failed, resumeCommand(run, env));

const detached = (run: Run, env: string) =>
  new Failed(`No longer following the run ${run.id}. It goes on.`, EXIT.interrupted, resumeCommand(run, env));

/** What goes on meanwhile: before the first task the project's Python environment is built, where it needs one. */
function progressOf({ status, tasks }: Run): string {
  if (status === 'queued') return 'Queued';
  const running = tasks.filter((task) => task.status === 'running').map(({ asset }) => asset);
  const done = tasks.filter((task) => !['queued', 'running'].includes(task.status)).length;
  const what = running.length === 0 ? 'preparing' : escaped(running.join(', '));
  return `Running ${done} of ${tasks.length}: ${what}`;
}

function tellTasks(tasks: readonly RunTask[], seen: Map<string, string>, tell: (text: string) => void): void {
  for (const task of tasks) {
    if (seen.get(task.asset) === task.status) continue;
    seen.set(task.asset, task.status);
    if (task.status !== 'queued') tell(`${taskLine(task)}\n`);
  }
}

function taskLine({ asset, status, rows, error, started_at, ended_at }: RunTask): string {
  const facts = [
    ...(rows === null ? [] : [plural(rows, 'row')]),
    ...(started_at && ended_at ? [duration(started_at, ended_at)] : []),
    ...(error === null ? [] : [failureLine({ error })]),
  ];
  return escaped(`${status.padEnd(9)} ${asset}${facts.length > 0 ? `  ${facts.join(', ')}` : ''}`);
}
