import { cursorFlag, envFlag, idArg, resultFlags } from '../../arguments/flags.ts';
import { requireSuccess, resultFormat, showResults } from '../../queries/results.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class QueryResults extends SvcCommand<typeof QueryResults> {
  static override summary = 'Show the rows of a query that succeeded in the last 24 hours';
  static override examples = [
    'svc query results 01997c2e-7b7a-7c1e-8000-000000000001 --env dev',
    'svc query results 01997c2e-7b7a-7c1e-8000-000000000001 --env dev --file rows.csv',
  ];
  static override args = { id: idArg('query') };
  static override flags = {
    ...envFlag,
    ...resultFlags,
    ...cursorFlag,
  };

  async run(): Promise<void> {
    const format = resultFormat(this.flags);
    const query = await this.client.queries.get(this.environment, await this.fullId('query', this.args.id));
    if (query.status === 'FAILED' || query.status === 'CANCELLED') await requireSuccess(query);
    await showResults(this, query, { ...this.flags, format });
  }
}
