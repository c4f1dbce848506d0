import { breakGlassFlags, breakGlassOption, envFlag, requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class NsDelete extends SvcCommand<typeof NsDelete> {
  static override summary = 'Drop an empty namespace';
  static override examples = ['svc ns delete sales.raw --env dev --yes'];
  static override args = { path: requiredArg('namespace, with dots between its levels') };
  static override flags = { ...envFlag, ...yesFlag, ...breakGlassFlags };

  async run(): Promise<void> {
    const { path } = this.args;
    await this.confirm(`Drop the namespace ${path} in ${this.environment}?`);
    await this.client.namespaces.delete(this.environment, path, breakGlassOption(this.flags));
    this.done(undefined, `Dropped the namespace ${path}.`);
  }
}
