import { boolean, string } from '@oclif/core/flags';
import { envFlag, optionalArg, requiredArg } from '../../arguments/flags.ts';
import { readParameters } from '../../arguments/params.ts';
import { parameterFlag } from '../../arguments/saved-query.ts';
import { readStatement } from '../../arguments/statement.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class SavedQueryCreate extends SvcCommand<typeof SavedQueryCreate> {
  static override summary = 'Save a query. Only you see it, unless it is shared';
  static override examples = [
    "svc saved-query create 'all orders' 'select * from sales.orders' --env dev",
    "svc saved-query create 'orders of a day' -f day.sql -p day:date=2026-03-01 --shared --env dev",
  ];
  static override description = 'svc sql --saved NAME runs it.';
  static override args = {
    name: requiredArg('name, unique among your saved queries in the environment'),
    statement: optionalArg('SQL statement; - reads standard input'),
  };
  static override flags = {
    ...envFlag,
    from: string({ char: 'f', description: 'file with the SQL statement', helpValue: 'FILE' }),
    ...parameterFlag,
    description: string({ description: 'what the query is for', helpValue: 'TEXT' }),
    shared: boolean({ description: 'let everyone with SUBMIT_QUERY in the environment read it' }),
  };

  async run(): Promise<void> {
    const { from, param = [], description, shared } = this.flags;
    const parameters = readParameters(param);
    const sql = await readStatement(this.io, this.args.statement, from);
    const saved = await this.client.savedQueries.create(this.environment, this.args.name, sql, {
      parameters,
      ...(description === undefined ? {} : { description }),
      shared,
    });
    const who = saved.shared ? 'it is shared' : 'only you see it';
    this.done(saved, `Saved the query ${saved.name} in ${saved.environment}: ${who}.`);
  }
}
