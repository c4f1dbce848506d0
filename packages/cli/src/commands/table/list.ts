import type { Table } from '@svc/sdk';
import { SvcCommand } from '../../command.ts';
import { envFlag, pageFlags, word } from '../../flags.ts';
import { bytes, count, time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';

const COLUMNS: readonly TableColumn<Table>[] = [
  { header: 'table', cell: ({ namespace, name }) => `${namespace}.${name}` },
  { header: 'kind', cell: ({ kind }) => kind },
  { header: 'rows', cell: ({ row_count }) => count(row_count), right: true, hide: 5 },
  { header: 'size', cell: ({ size_bytes }) => bytes(size_bytes), right: true, hide: 4 },
  { header: 'updated', cell: ({ updated_at }) => time(updated_at), hide: 3 },
  {
    header: 'expires',
    cell: ({ expires_at, expires_soon }) =>
      expires_at === null ? null : `${time(expires_at)}${expires_soon ? ' soon' : ''}`,
    hide: 6,
  },
  { header: 'owner', cell: ({ owner }) => owner, hide: 2 },
  { header: 'description', cell: ({ description }) => description, hide: 1 },
];

export default class TableList extends SvcCommand<typeof TableList> {
  static override summary = 'List the tables of a namespace that you may read';
  static override examples = ['svc table list sales --env dev'];
  static override args = { namespace: word('path of the namespace, dotted') };
  static override flags = { ...envFlag, ...pageFlags };

  async run(): Promise<void> {
    const { limit, cursor } = this.flags;
    const page = await this.client.tables.listPage(this.environment, this.args.namespace, { limit, cursor });
    await this.page(page, COLUMNS, `No tables in ${this.args.namespace}.`);
  }
}
