import { boolean, integer, string } from '@oclif/core/flags';
import { envFlag } from '../../arguments/flags.ts';
import { readParameters } from '../../arguments/params.ts';
import { findSavedQuery, parameterFlag, savedQueryArg } from '../../arguments/saved-query.ts';
import { readStatement } from '../../arguments/statement.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class SavedQueryUpdate extends SvcCommand<typeof SavedQueryUpdate> {
  static override summary = 'Change a saved query, or whether it is shared';
  static override examples = [
    "svc saved-query update 'orders of a day' --shared --env dev",
    "svc saved-query update 'orders of a day' -f day.sql -p day:date --env dev",
    "svc saved-query update 'orders of a day' -f day.sql --version 3 --env dev",
  ];
  static override description =
    'Owners can change everything, administrators of the environment everything but the name of a shared query.';
  static override args = { query: savedQueryArg() };
  static override flags = {
    ...envFlag,
    name: string({ description: 'new name', helpValue: 'NAME' }),
    from: string({
      char: 'f',
      description: 'file with the new SQL statement; - reads standard input',
      helpValue: 'FILE',
    }),
    ...parameterFlag,
    description: string({ description: 'what the query is for; an empty text removes it', helpValue: 'TEXT' }),
    shared: boolean({
      description: 'let everyone with SUBMIT_QUERY in the environment read it; --no-shared makes it private',
      allowNo: true,
    }),
    version: integer({
      description:
        'version that your change is based on, as svc saved-query show prints it: fails if the query has changed since (default: change any version)',
      min: 1,
      helpValue: 'VERSION',
    }),
  };

  async run(): Promise<void> {
    const { name, from, param, description, shared, version } = this.flags;
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(from === undefined ? {} : { sql: await this.#text(from) }),
      ...(param === undefined ? {} : { parameters: readParameters(param) }),
      ...(description === undefined ? {} : { description: description === '' ? null : description }),
      ...(shared === undefined ? {} : { shared }),
    };
    if (Object.keys(changes).length === 0)
      throw usageError('Nothing to change. Add --name, --from, --param, --description, --shared or --no-shared.');
    const { id } = await findSavedQuery(this.client, this.environment, this.args.query);
    const saved = await this.client.savedQueries.update(this.environment, id, {
      ...changes,
      ...(version === undefined ? {} : { version }),
    });
    this.done(saved, `Updated the saved query ${saved.name}.`);
  }

  #text(from: string): Promise<string> {
    return from === '-' ? readStatement(this.io, '-', undefined) : readStatement(this.io, undefined, from);
  }
}
