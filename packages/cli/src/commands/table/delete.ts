import { boolean } from '@oclif/core/flags';
import { breakGlassFlags, breakGlassOption, envFlag, tableArg, yesFlag } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableDelete extends SvcCommand<typeof TableDelete> {
  static override summary = 'Drop a table, view or artifact; svc table undrop restores it within the undo period';
  static override examples = [
    'svc table delete sales.orders --env dev',
    'svc table delete sales.orders --env dev --purge --yes',
  ];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    purge: boolean({ description: "delete the files at the next sweep, so that it can't be restored" }),
    ...yesFlag,
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { table } = this.args;
    const { purge } = this.flags;
    const env = this.environment;
    await this.confirm(
      purge
        ? `Permanently drop ${table} in ${env}? The next sweep deletes its files, and it can't be restored.`
        : `Drop ${table} in ${env}?`,
    );
    const dropped = await this.client.tables.delete(env, table, {
      ...(purge ? { purge } : {}),
      ...breakGlassOption(this.flags),
    });
    const { kind, namespace, name, purge_after: until, restorable } = dropped;
    const what = `Dropped the ${kind === 'managed' || kind === 'external' ? 'table' : kind} ${namespace}.${name}.`;
    const later = restorable
      ? `It can be restored until ${time(until)}: svc table undrop ${namespace}.${name} --env ${env}`
      : until === null
        ? "The service stored no files for it, so it can't be restored."
        : 'The next sweep deletes its files.';
    this.done(dropped, `${what} ${later}`);
  }
}
