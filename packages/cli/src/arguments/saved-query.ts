import { string } from '@oclif/core/flags';
import type { SavedQuery, SvcClient } from '@svc/sdk';
import { CliError, EXIT } from '../cli-error.ts';
import { requiredArg } from './flags.ts';

export const savedQueryArg = () => requiredArg('name or id of the saved query');

export const parameterFlag = {
  param: string({
    char: 'p',
    description:
      'parameter $NAME of the statement, with its type and default (default: a text without default; repeatable)',
    helpValue: 'NAME[:TYPE][=DEFAULT]',
    multiple: true,
    multipleNonGreedy: true,
  }),
};

/** The saved query with this id, or with this name: the caller's own, or else the only shared one. @throws CliError */
export async function findSavedQuery(client: SvcClient, env: string, text: string): Promise<SavedQuery> {
  if (/^[0-9a-f-]{36}$/i.test(text)) return client.savedQueries.get(env, text);
  const found = await client.savedQueries.list(env, { name: text });
  const list = `svc saved-query list --env ${env}`;
  if (found.length === 0)
    throw new CliError(`There is no saved query ${text} in environment ${env} that you can see.`, EXIT.notFound, list);
  const [first, ...others] = found;
  if (others.length === 0) return first!;
  const { name } = await client.access.me();
  const own = found.find(({ owner }) => owner === name);
  if (own !== undefined) return own;
  const ids = found.map(({ id, owner }) => `${id} of ${owner}`).join(', ');
  throw new CliError(`Several saved queries are named ${text}: ${ids}. Use an id.`, EXIT.usage, list);
}
