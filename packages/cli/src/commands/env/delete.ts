import { boolean } from '@oclif/core/flags';
import { breakGlassFlags, breakGlassOption, requiredArg, yesFlag } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class EnvDelete extends SvcCommand<typeof EnvDelete> {
  static override summary = 'Delete an environment with its tables; svc env restore undoes it within the undo period';
  static override examples = ['svc env delete staging', 'svc env delete staging --purge --yes'];
  static override args = { name: requiredArg('name of the environment') };
  static override flags = {
    purge: boolean({ description: "delete the files at the next sweep, so that it can't be restored" }),
    ...yesFlag,
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { name } = this.args;
    const { purge } = this.flags;
    await this.confirm(
      purge
        ? `Permanently delete the environment ${name} with all its tables? It can't be restored.`
        : `Delete the environment ${name} with all its tables?`,
    );
    const deleted = await this.client.environments.delete(name, {
      ...(purge ? { purge } : {}),
      ...breakGlassOption(this.flags),
    });
    const { deleted_at, purge_after } = deleted;
    const restorable = !purge && purge_after !== null && deleted_at !== null && purge_after > deleted_at;
    this.done(
      deleted,
      restorable
        ? `Deleted the environment ${name}. An administrator can restore it until ${time(purge_after)}: svc env restore ${name}`
        : `Deleted the environment ${name}. The next sweep deletes its files; then its name is free.`,
    );
  }
}
