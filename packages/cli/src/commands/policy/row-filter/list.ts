import type { RowFilter } from '@svc/sdk';
import { envFlag, listFlags, tableArg } from '../../../arguments/flags.ts';
import { targetText } from '../../../arguments/policy-target.ts';
import type { TableColumn } from '../../../output/table.ts';
import { SvcCommand } from '../../../svc-command.ts';

const COLUMNS: readonly TableColumn<RowFilter>[] = [
  { header: 'id', cell: ({ id }) => id },
  { header: 'applies to', cell: targetText },
  { header: 'predicate', cell: ({ predicate }) => predicate, hide: 1 },
];

export default class PolicyRowFilterList extends SvcCommand<typeof PolicyRowFilterList> {
  static override summary = 'List the row filters of a table';
  static override examples = ['svc policy row-filter list sales.orders --env dev'];
  static override args = { table: tableArg() };
  static override flags = { ...envFlag, ...listFlags };

  async run(): Promise<void> {
    await this.list(await this.client.rowFilters.list(this.environment, this.args.table), COLUMNS, 'No row filters.');
  }
}
