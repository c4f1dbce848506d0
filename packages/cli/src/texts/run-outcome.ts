import type { Run } from '@svc/sdk';
import { workError } from '../cli-error.ts';
import { duration } from '../output/format.ts';
import type { CommandContext } from '../svc-command.ts';
import { followRun, resumeCommand } from '../terminal/follow.ts';

/** Follows a run, reports its result and returns it. @throws CliError unless it succeeded */
export async function followUntilFinished(
  command: CommandContext,
  started: Run,
  timeout: number | undefined,
): Promise<Run> {
  const { client, io, environment: env } = command;
  const run = await followRun(started, { client, io, env, timeout });
  command.done(run, `Run ${run.id} ${run.status} in ${duration(run.started_at ?? run.created_at, run.ended_at)}.`);
  if (run.status === 'succeeded') return run;
  const failed = run.tasks.find(({ error }) => error !== null)?.error;
  const cause = run.error?.detail ?? failed?.detail ?? `The run ${run.id} was ${run.status}.`;
  // The remedy of the first failed task is more specific than that of the run.
  throw workError(cause, failed?.remedy ?? run.error?.remedy ?? `svc runs logs ${run.id} --env ${env}`);
}

/** The sentence about a run that is not followed. */
export function startedSentence(run: Run, env: string): string {
  return `Started the run ${run.id}. To follow it: ${resumeCommand(run, env)}`;
}
