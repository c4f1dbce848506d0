import { string } from '@oclif/core/flags';
import { breakGlassFlags, breakGlassOf, envFlag, tableWord } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';

export default class TableRollback extends SvcCommand<typeof TableRollback> {
  static override summary = 'Make an older snapshot of a managed table the current one';
  static override description =
    'svc table history lists the snapshots. The newer ones stay in the history, so a rollback can be undone by another.';
  static override examples = ['svc table rollback sales.orders --to 6119473402381 --env dev'];
  static override args = { table: tableWord() };
  static override flags = {
    ...envFlag,
    to: string({ description: 'the snapshot', helpValue: 'SNAPSHOT', required: true }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { table } = this.args;
    const { to } = this.flags;
    if (!/^\d{1,19}$/.test(to)) throw usage(`"${to}" is no snapshot: svc table history ${table} lists their ids.`);
    const id = Number.isSafeInteger(Number(to)) ? Number(to) : to;
    const after = await this.client.tables.rollback(this.environment, table, id, breakGlassOf(this.flags));
    this.done(after, `Rolled ${table} back to the snapshot ${to}.`);
  }
}
