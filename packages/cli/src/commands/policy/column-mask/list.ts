import type { ColumnMask } from '@svc/sdk';
import { envFlag, listFlags, tableArg } from '../../../arguments/flags.ts';
import { targetText } from '../../../arguments/policy-target.ts';
import type { TableColumn } from '../../../output/table.ts';
import { SvcCommand } from '../../../svc-command.ts';

const COLUMNS: readonly TableColumn<ColumnMask>[] = [
  { header: 'id', cell: ({ id }) => id },
  { header: 'applies to', cell: targetText },
  { header: 'column', cell: ({ column }) => column },
  { header: 'expression', cell: ({ expression }) => expression, hide: 1 },
];

export default class PolicyColumnMaskList extends SvcCommand<typeof PolicyColumnMaskList> {
  static override summary = 'List the column masks of a table';
  static override examples = ['svc policy column-mask list sales.orders --env dev'];
  static override args = { table: tableArg() };
  static override flags = { ...envFlag, ...listFlags };

  async run(): Promise<void> {
    await this.list(await this.client.columnMasks.list(this.environment, this.args.table), COLUMNS, 'No column masks.');
  }
}
