import { shellCommand } from '@svc/core/command-lines';
import { NotFound } from '@svc/sdk';
import { CliError, EXIT } from '../cli-error.ts';
import type { CommandContext } from '../svc-command.ts';

/**
 * Offers to register the repository if that is why a deploy was rejected.
 *
 * @throws CliError with the command that registers it, without a terminal or after a refusal; otherwise `error`
 */
export async function registerMissing(
  command: Pick<CommandContext, 'client' | 'io' | 'note'>,
  error: unknown,
  { repository, isFolder }: { repository: string; isFolder: boolean },
): Promise<void> {
  const { client, io } = command;
  if (!(error instanceof NotFound) || !(await isUnregistered(client, repository))) throw error;
  const reason = `The repository ${repository} isn't registered`;
  if (!io.interactive || !(await io.prompt.confirm(`${reason}. Register it?`))) {
    const remedy = shellCommand('svc repository add', repository, isFolder ? [] : ['--url URL']);
    throw new CliError(`${reason}.`, EXIT.notFound, remedy);
  }
  const url = isFolder ? null : await io.prompt.text('URL that git fetches (https or ssh)');
  await client.repositories.create({ name: repository, url });
  command.note(`Registered the repository ${repository}.`);
}

/** A caller who can't see repositories can't register them either. */
async function isUnregistered(client: CommandContext['client'], repository: string): Promise<boolean> {
  return client.repositories.get(repository).then(
    () => false,
    (error: unknown) => error instanceof NotFound,
  );
}
