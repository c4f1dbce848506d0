import { boolean } from '@oclif/core/flags';
import type { DroppedTable, Table } from '@svc/sdk';
import { envFlag, pageFlags, requiredArg } from '../../arguments/flags.ts';
import { bytes, count, time, yesNo } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

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
    whole: true,
  },
  { header: 'owner', cell: ({ owner }) => owner, hide: 2 },
  { header: 'description', cell: ({ description }) => description, hide: 1 },
];

const DROPPED: readonly TableColumn<DroppedTable>[] = [
  { header: 'table', cell: ({ namespace, name }) => `${namespace}.${name}` },
  { header: 'dropped', cell: ({ dropped_at }) => time(dropped_at) },
  { header: 'restorable', cell: ({ restorable }) => yesNo(restorable), hide: 4 },
  { header: 'until', cell: ({ purge_after }) => time(purge_after), hide: 5 },
  { header: 'kind', cell: ({ kind }) => kind, hide: 2 },
  { header: 'reason', cell: ({ reason }) => reason, hide: 1 },
  { header: 'id', cell: ({ uuid }) => uuid, hide: 3, whole: true },
];

export default class TableList extends SvcCommand<typeof TableList> {
  static override summary = 'List the tables in a namespace that you can read, or the dropped ones';
  static override examples = ['svc table list sales --env dev', 'svc table list sales --env dev --dropped'];
  static override args = { namespace: requiredArg('namespace, with dots between its levels') };
  static override flags = {
    ...envFlag,
    dropped: boolean({ description: 'dropped tables whose files still exist, newest first' }),
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { environment, client } = this;
    const { namespace } = this.args;
    if (this.flags.dropped) {
      await this.pagedList(
        (page) => client.tables.listDroppedPage(environment, namespace, page),
        DROPPED,
        `No dropped tables in ${namespace}.`,
      );
    } else {
      await this.pagedList(
        (page) => client.tables.listPage(environment, namespace, page),
        COLUMNS,
        `No tables in ${namespace}.`,
      );
    }
  }
}
