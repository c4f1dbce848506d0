import { envFlag, yesFlag } from '../../arguments/flags.ts';
import { findSavedQuery, savedQueryArg } from '../../arguments/saved-query.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class SavedQueryDelete extends SvcCommand<typeof SavedQueryDelete> {
  static override summary = 'Delete a saved query';
  static override examples = ["svc saved-query delete 'orders of a day' --env dev --yes"];
  static override args = { query: savedQueryArg() };
  static override flags = { ...envFlag, ...yesFlag };

  async run(): Promise<void> {
    const { id, name, owner } = await findSavedQuery(this.client, this.environment, this.args.query);
    await this.confirm(`Delete the saved query ${name} of ${owner}?`);
    await this.client.savedQueries.delete(this.environment, id);
    this.done(undefined, `Deleted the saved query ${name}.`);
  }
}
