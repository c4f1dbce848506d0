import { boolean, integer, string } from '@oclif/core/flags';
import { envFlag, idArg } from '../../arguments/flags.ts';
import { requireSuccess, showResults } from '../../results.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class QueryResults extends SvcCommand<typeof QueryResults> {
  static override summary = 'Show the rows of a query that succeeded in the last 24 hours';
  static override examples = [
    'svc query results 01997c2e-7b7a-7c1e-8000-000000000001 --env dev',
    'svc query results 01997c2e-7b7a-7c1e-8000-000000000001 --env dev --format csv --file rows.csv',
  ];
  static override args = { id: idArg('query') };
  static override flags = {
    ...envFlag,
    format: string({
      description: 'output format; csv, parquet and arrow contain all rows, json is --output json',
      options: ['table', 'json', 'csv', 'parquet', 'arrow'],
      default: 'table',
    }),
    file: string({
      description: 'file to write the rows to (requires --format csv, parquet or arrow)',
      helpValue: 'FILE',
    }),
    raw: boolean({
      description: 'with --format csv, write exact values, also those that a spreadsheet would run as a formula',
    }),
    limit: integer({
      description: 'rows to show, 1 to 10000 (default: 100, or 10000 with --output json)',
      helpValue: 'N',
    }),
    cursor: string({ description: 'start of the page, as printed by the previous page', helpValue: 'CURSOR' }),
  };

  async run(): Promise<void> {
    const query = await this.client.queries.get(this.environment, await this.fullId('query', this.args.id));
    if (query.status === 'FAILED' || query.status === 'CANCELLED') requireSuccess(query);
    await showResults(this, query, this.flags);
  }
}
