import { breakGlassFlags, breakGlassOption, envFlag, tableArg } from '../../arguments/flags.ts';
import { plural } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableTruncate extends SvcCommand<typeof TableTruncate> {
  static override summary = 'Remove all rows of a managed table';
  static override description =
    'Only metadata is written, so this takes about the same time for any table. Older snapshots keep the rows until maintenance expires them: svc table rollback brings them back.';
  static override examples = ['svc table truncate sales.orders --env dev'];
  static override args = { table: tableArg() };
  static override flags = { ...envFlag, ...breakGlassFlags };

  async run(): Promise<void> {
    const { table } = this.args;
    const done = await this.client.tables.truncate(this.environment, table, breakGlassOption(this.flags));
    const { deleted, previous_snapshot_id: before } = done;
    const undo =
      before === null ? '' : ` To undo: svc table rollback ${table} --to ${before} --env ${this.environment}`;
    this.done(done, `Removed ${plural(deleted, 'row')} from ${table}.${undo}`);
  }
}
