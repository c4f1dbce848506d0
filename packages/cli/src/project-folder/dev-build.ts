import { shellCommand } from '@svc/core/command-lines';
import type { Deploy } from '@svc/sdk';
import { workError } from '../cli-error.ts';
import { plural } from '../output/format.ts';
import type { CommandContext } from '../svc-command.ts';
import { withProgress } from '../terminal/progress.ts';
import { deployLines, printWarnings } from '../texts/deploy-text.ts';
import { followUntilFinished } from '../texts/run-outcome.ts';
import { registerMissing } from './register-repository.ts';
import { sendFolder } from './send-folder.ts';

export interface DevBuild {
  readonly folder: string;
  readonly repository: string;
  readonly namespace: string;
  /** Undefined to build what differs from the deployed version. */
  readonly select: readonly string[] | undefined;
  readonly upstream: boolean;
  readonly downstream: boolean;
  readonly fullRefresh: boolean;
  /** Seconds to follow the run. */
  readonly timeout: number | undefined;
}

/** The default namespace of a developer: `dev_` and the name, with `_` for what a namespace can't contain. */
export const devNamespaceOf = (principal: string): string =>
  `dev_${principal.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;

/**
 * Checks a folder like a deploy, and builds the selected assets inside the namespace (CLI-36).
 *
 * @throws CliError unless everything succeeded
 */
export async function buildInNamespace(command: CommandContext, build: DevBuild): Promise<void> {
  const { client, environment } = command;
  const { repository, upstream, downstream } = build;
  const checked = await check(command, build);
  printWarnings(command, checked);
  const select = build.select ?? differing(checked);
  if (select.length === 0) {
    command.done(checked, 'No asset differs from the deployed version. Name assets with --select to build them.');
    return;
  }
  if (build.select === undefined)
    command.note(`Different from the deployed version: ${plural(select.length, 'asset')}.`);
  const run = await client.runs.create(environment, {
    repository,
    project_version_id: checked.project_version_id!,
    select: [...select],
    ...(upstream ? { upstream } : {}),
    ...(downstream ? { downstream } : {}),
    ...(build.fullRefresh ? { full_refresh: true } : {}),
  });
  const built = (await followUntilFinished(command, run, build.timeout)).tasks.filter(({ rows }) => rows !== null);
  const last = built.at(-1);
  if (last === undefined) return;
  const query = shellCommand('svc sql', `SELECT * FROM ${last.asset} LIMIT 20`, [`--env ${environment}`]);
  command.note(`To see the rows: ${query}`);
}

/** A dry run that stores the version. @throws CliError with the errors of a deploy */
async function check(command: CommandContext, { folder, repository, namespace }: DevBuild): Promise<Deploy> {
  const { client, environment, io } = command;
  const body = { repository, ...(await sendFolder(command, folder)), dry_run: true, dev_namespace: namespace };
  const create = () => client.deploys.create(environment, body);
  const started = await create().catch(async (error: unknown) => {
    await registerMissing(command, error, { repository, isFolder: true });
    return create();
  });
  const deploy = await withProgress(
    io,
    () => `Checking ${repository}`,
    () => client.deploys.wait(environment, started.id),
  );
  if (deploy.status === 'succeeded') return deploy;
  throw workError(deploy.error?.detail ?? deployLines(deploy)[0]!, deploy.error?.remedy);
}

/** Removed assets have nothing to build. */
const differing = ({ assets }: Deploy): string[] =>
  [...(assets?.added ?? []), ...(assets?.changed ?? [])].map(({ name }) => name);
