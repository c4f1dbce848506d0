import { integer, string } from '@oclif/core/flags';
import { envFlag, word } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { requireSuccess, showResults } from '../../results.ts';

export default class QueryResults extends SvcCommand<typeof QueryResults> {
  static override summary = 'Show the rows of a query that has succeeded; they are kept for 24 hours';
  static override examples = [
    'svc query results 01997c2e-7b7a-7c1e-8000-000000000001 --env dev',
    'svc query results 01997c2e-7b7a-7c1e-8000-000000000001 --env dev --format csv --file rows.csv',
  ];
  static override args = { id: word('id of the query') };
  static override flags = {
    ...envFlag,
    format: string({
      description: 'csv and parquet give all rows',
      options: ['table', 'csv', 'parquet'],
      default: 'table',
    }),
    file: string({ description: 'write the rows there (csv, parquet)', helpValue: 'FILE' }),
    limit: integer({ description: 'rows to show, up to 10000', helpValue: 'N' }),
    cursor: string({ description: 'goes on after an earlier page', helpValue: 'CURSOR' }),
  };

  async run(): Promise<void> {
    const query = await this.client.queries.get(this.environment, this.args.id);
    if (query.status === 'FAILED' || query.status === 'CANCELLED') requireSuccess(query);
    await showResults(this, query, this.flags);
  }
}
