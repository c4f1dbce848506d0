import type { Deploy } from '@svc/sdk';
import { escaped } from '../output/escape.ts';
import { duration, plural } from '../output/format.ts';
import type { CommandContext } from '../svc-command.ts';

/** The result of a deploy and, for a dry run, the changes to assets and jobs. */
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
  return [head, ...(dry ? [...assetLines(deploy), ...jobLines(deploy)] : [])];
}

/** The start of a commit, as in `git describe --dirty`; null without one. */
export function commitText({ commit, dirty }: Pick<Deploy, 'commit' | 'dirty'>): string | null {
  return commit === null ? null : `${commit.slice(0, 10)}${dirty ? '-dirty' : ''}`;
}

const COLUMNS_SHOWN = 20;

/** The section that lists added, removed and changed assets, with their columns. */
export function assetLines({ assets }: Pick<Deploy, 'assets'>): string[] {
  // Null if they aren't known; older servers don't have it.
  if (assets === null || assets === undefined) return [];
  const described = ({ kind, columns }: Assets['added'][number]) =>
    columns === null ? kind : `${kind}, ${plural(columns.length, 'column')}`;
  const lines = [
    ...assets.added.map((asset) => `  added    ${asset.name} (${described(asset)})`),
    ...assets.removed.map(({ name, kind }) => `  removed  ${name} (${kind})`),
    ...assets.changed.flatMap(({ name, changes, columns }) => [
      `  changed  ${name}: ${changes.join(', ') || 'columns'}`,
      ...columnLines(columns),
    ]),
  ];
  return ['Assets:', ...(lines.length === 0 ? ['  no changes'] : lines.map(escaped))];
}

type Assets = NonNullable<Deploy['assets']>;

function columnLines(columns: Assets['changed'][number]['columns']): string[] {
  if (columns === null) return [];
  const lines = [
    ...columns.added.map(({ name, type }) => `+ ${name} ${type}`),
    ...columns.removed.map(({ name, type }) => `- ${name} ${type}`),
    ...columns.changed.map(({ name, type, previous_type }) => `~ ${name} ${previous_type} -> ${type}`),
  ];
  const more = lines.length - COLUMNS_SHOWN;
  return [...lines.slice(0, COLUMNS_SHOWN), ...(more > 0 ? [`and ${more} more: use --output json`] : [])].map(
    (line) => `             ${line}`,
  );
}

/** The section that lists added, removed and changed jobs. */
export function jobLines({ jobs }: Pick<Deploy, 'jobs'>): string[] {
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
