import type { Snapshot } from '@svc/sdk';
import { envFlag, listFlags, tableArg } from '../../arguments/flags.ts';
import { time, yesNo } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

const COLUMNS: readonly TableColumn<Snapshot>[] = [
  { header: 'snapshot', cell: ({ snapshot_id }) => String(snapshot_id) },
  { header: 'committed', cell: ({ committed_at }) => time(committed_at) },
  { header: 'operation', cell: ({ operation }) => operation },
  { header: 'current', cell: ({ current }) => yesNo(current), hide: 3 },
  { header: 'branches, tags', cell: ({ refs }) => refs.join(', '), hide: 4 },
  { header: 'rows added', cell: ({ summary }) => summary['added-records'], right: true, hide: 2 },
  { header: 'total rows', cell: ({ summary }) => summary['total-records'], right: true, hide: 1 },
  { header: 'made by', cell: workText, hide: 0 },
];

/** The run and task, or the query or load with its principal; null if it isn't known or visible. */
function workText({ made_by: work }: Snapshot): string | null {
  if (work == null) return null;
  const { principal, run_id, asset, query_id, write_id } = work;
  if (run_id !== null) return asset === null ? `run ${run_id}` : `run ${run_id}, ${asset}`;
  const what = query_id !== null ? `query ${query_id}` : write_id !== null ? `load ${write_id}` : null;
  return [what, principal].filter((part) => part !== null).join(', ') || null;
}

export default class TableHistory extends SvcCommand<typeof TableHistory> {
  static override summary = 'List the snapshots of a managed table, newest first';
  static override examples = ['svc table history sales.orders --env dev'];
  static override args = { table: tableArg() };
  static override flags = { ...envFlag, ...listFlags };

  async run(): Promise<void> {
    const snapshots = await this.client.tables.snapshots(this.environment, this.args.table);
    await this.list(snapshots, COLUMNS, 'No snapshots: nothing has been written yet.');
  }
}
