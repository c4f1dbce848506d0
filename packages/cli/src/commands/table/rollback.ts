import { string } from '@oclif/core/flags';
import { breakGlassFlags, breakGlassOption, envFlag, tableArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableRollback extends SvcCommand<typeof TableRollback> {
  static override summary = 'Roll a managed table back to an older snapshot';
  static override description =
    'svc table history lists the snapshots. Newer snapshots stay in the history, so you can undo a rollback with another one.';
  static override examples = ['svc table rollback sales.orders --to 6119473402381 --env dev'];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    to: string({ description: 'id of the snapshot', helpValue: 'SNAPSHOT', required: true }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { table } = this.args;
    const { to } = this.flags;
    if (!/^\d{1,19}$/.test(to))
      throw usageError(`Invalid snapshot id "${to}". To list the ids: svc table history ${table}`);
    const id = Number.isSafeInteger(Number(to)) ? Number(to) : to;
    const after = await this.client.tables.rollback(this.environment, table, id, breakGlassOption(this.flags));
    this.done(after, `Rolled ${table} back to the snapshot ${to}.`);
  }
}
