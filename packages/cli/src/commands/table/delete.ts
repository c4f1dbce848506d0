import { boolean } from '@oclif/core/flags';
import { breakGlassFlags, breakGlassOf, envFlag, tableWord, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { time } from '../../output/format.ts';

export default class TableDelete extends SvcCommand<typeof TableDelete> {
  static override summary = 'Drop a table, view or artifact; undrop restores it within the undo period';
  static override examples = [
    'svc table delete sales.orders --env dev',
    'svc table delete sales.orders --env dev --purge --yes',
  ];
  static override args = { table: tableWord() };
  static override flags = {
    ...envFlag,
    purge: boolean({ description: 'delete its files at the next sweep: it cannot be restored' }),
    ...yesFlag,
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { table } = this.args;
    const { purge } = this.flags;
    const env = this.environment;
    await this.confirm(
      purge
        ? `Drop ${table} of ${env} for good? Its files are deleted at the next sweep, and it cannot be restored.`
        : `Drop ${table} of ${env}?`,
    );
    const dropped = await this.client.tables.delete(env, table, {
      ...(purge ? { purge } : {}),
      ...breakGlassOf(this.flags),
    });
    const { kind, namespace, name, purge_after: until, restorable } = dropped;
    const what = `Dropped the ${kind === 'managed' || kind === 'external' ? 'table' : kind} ${namespace}.${name}.`;
    const later = restorable
      ? `It can be restored until ${time(until)}: svc table undrop ${namespace}.${name} --env ${env}`
      : until === null
        ? 'It had no files of the service, so there is nothing to restore.'
        : 'Its files are deleted at the next sweep.';
    this.done(dropped, `${what} ${later}`);
  }
}
