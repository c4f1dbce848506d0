import type { Run } from '@svc/sdk';
import type { Working } from '../command.ts';
import { workFailed } from '../exit.ts';
import { duration } from '../output/format.ts';
import { followRun, resumeCommand } from '../terminal/follow.ts';

/** Follows a run that has begun and tells how it ended. @throws Failed unless it succeeded (specification 4.4) */
export async function followToEnd(command: Working, begun: Run, timeout: number | undefined): Promise<void> {
  const { client, io, environment: env } = command;
  const run = await followRun(begun, { client, io, env, timeout });
  command.done(run, `Run ${run.id} ${run.status} in ${duration(run.started_at ?? run.created_at, run.ended_at)}.`);
  if (run.status === 'succeeded') return;
  const failed = run.tasks.find(({ error }) => error !== null)?.error;
  const cause = run.error?.detail ?? failed?.detail ?? `The run ${run.id} was ${run.status}.`;
  // What mends the first task that failed is nearer than where to read about it.
  throw workFailed(cause, failed?.remedy ?? run.error?.remedy ?? `svc runs logs ${run.id} --env ${env}`);
}

/** What is told of a run that is not followed. */
export function begunSentence(run: Run, env: string): string {
  return `Run ${run.id} begun. Follow it: ${resumeCommand(run, env)}`;
}
