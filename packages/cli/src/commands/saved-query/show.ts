import { envFlag } from '../../arguments/flags.ts';
import { findSavedQuery, savedQueryArg } from '../../arguments/saved-query.ts';
import { time, yesNo } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class SavedQueryShow extends SvcCommand<typeof SavedQueryShow> {
  static override summary = 'Show a saved query';
  static override examples = ["svc saved-query show 'orders of a day' --env dev"];
  static override args = { query: savedQueryArg() };
  static override flags = { ...envFlag };

  async run(): Promise<void> {
    const query = await findSavedQuery(this.client, this.environment, this.args.query);
    this.record(query, [
      ['name', query.name],
      ['id', query.id],
      ['version', String(query.version)],
      ['owner', query.owner],
      ['shared', yesNo(query.shared)],
      ['description', query.description],
      ['sql', query.sql_text.split('\n')],
      [
        'parameters',
        query.parameters.map(
          ({ name, type, default: value }) => `${name}: ${type}${value === null ? '' : ` = ${value}`}`,
        ),
      ],
      ['created', time(query.created_at)],
      ['updated', time(query.updated_at)],
    ]);
  }
}
