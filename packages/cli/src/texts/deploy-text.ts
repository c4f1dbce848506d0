import type { Deploy } from '@svc/sdk';
import { escaped } from '../output/escape.ts';
import { duration } from '../output/format.ts';
import type { CommandContext } from '../svc-command.ts';

/** The result of a deploy and, for a dry run, the changes to the jobs. */
export function deployLines(deploy: Deploy): string[] {
  const { status, repository, environment, dry_run: dry, project_version_id: version } = deploy;
  const took = duration(deploy.created_at, deploy.ended_at);
  if (status !== 'succeeded')
    return [
      `The ${dry ? 'dry run' : 'deploy'} of ${repository} into ${environment} ${status === 'failed' ? 'failed' : `was ${status}`}.`,
    ];
  const head = dry
    ? `A deploy of ${repository} into ${environment} would succeed.`
    : `Deployed ${repository} into ${environment} in ${took}: project version ${version}.`;
  return [head, ...(dry ? jobLines(deploy) : [])];
}

/** The section that lists added, removed and changed jobs. */
export function jobLines({ jobs }: Deploy): string[] {
  if (jobs === null) return [];
  const lines = [
    ...jobs.added.map((name) => `  added    ${name}`),
    ...jobs.removed.map((name) => `  removed  ${name}`),
    ...jobs.changed.map(({ name, changes }) => `  changed  ${name}: ${changes.join(', ')}`),
  ];
  return ['Jobs:', ...(lines.length === 0 ? ['  no changes'] : lines.map(escaped))];
}

/** Prints warnings on standard error; with `--output json` the response contains them. */
export function printWarnings(command: CommandContext, { warnings }: Deploy): void {
  if (!command.json) for (const warning of warnings) command.note(`warning: ${escaped(warning)}`);
}
