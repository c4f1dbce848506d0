import { string } from '@oclif/core/flags';
import { breakGlassFlags, breakGlassOption, envFlag, requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class NsCreate extends SvcCommand<typeof NsCreate> {
  static override summary = 'Create a namespace';
  static override examples = ['svc ns create sales --env dev', 'svc ns create sales.raw --env dev'];
  static override args = { path: requiredArg('namespace, with dots between its levels') };
  static override flags = {
    ...envFlag,
    description: string({ description: 'description of its contents', helpValue: 'TEXT' }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { description } = this.flags;
    const namespace = await this.client.namespaces.create(this.environment, this.args.path, {
      ...(description === undefined ? {} : { description }),
      ...breakGlassOption(this.flags),
    });
    this.done(namespace, `Created the namespace ${namespace.path} in ${this.environment}.`);
  }
}
