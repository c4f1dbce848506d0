import type { TablePurge } from '@svc/sdk';
import { envFlag, pageFlags, requiredArg } from '../../arguments/flags.ts';
import { bytes, count, time, yesNo } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

const COLUMNS: readonly TableColumn<TablePurge>[] = [
  { header: 'table', cell: ({ namespace, name }) => `${namespace}.${name}` },
  { header: 'state', cell: ({ state }) => state },
  { header: 'files', cell: ({ files }) => count(files), right: true, hide: 5 },
  { header: 'size', cell: ({ bytes: size }) => bytes(size), right: true, hide: 4 },
  { header: 'due', cell: ({ purge_after }) => time(purge_after), hide: 3 },
  { header: 'deleted', cell: ({ purged_at }) => time(purged_at), hide: 6 },
  { header: 'tries', cell: ({ attempts }) => count(attempts), right: true, hide: 2 },
  { header: 'held', cell: ({ held }) => yesNo(held), hide: 1 },
  { header: 'error', cell: ({ error }) => error, hide: 7 },
];

export default class TablePurges extends SvcCommand<typeof TablePurges> {
  static override summary = 'Show the progress of deleting the files of dropped tables';
  static override examples = ['svc table purges sales --env dev'];
  static override args = { namespace: requiredArg('namespace, with dots between its levels') };
  static override flags = { ...envFlag, ...pageFlags };

  async run(): Promise<void> {
    const { namespace } = this.args;
    await this.pagedList(
      (page) => this.client.tables.purgesPage(this.environment, namespace, page),
      COLUMNS,
      `No dropped table in ${namespace} is due for deletion.`,
    );
  }
}
