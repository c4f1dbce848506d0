import { boolean, string } from '@oclif/core/flags';
import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class EnvCreate extends SvcCommand<typeof EnvCreate> {
  static override summary = 'Create an environment';
  static override examples = [
    'svc env create dev',
    'svc env create prod --protected --description "What customers see"',
  ];
  static override args = { name: requiredArg('name of the environment') };
  static override flags = {
    protected: boolean({ description: 'let only runs of the deployed project change the tables' }),
    description: string({ description: 'description of the environment', helpValue: 'TEXT' }),
    'storage-location': string({
      description: "bucket for the tables, opened with the instance's keys (for other keys: svc env update)",
      helpValue: 'LOCATION',
    }),
  };

  async run(): Promise<void> {
    const { protected: isProtected, description, 'storage-location': storage_location } = this.flags;
    const environment = await this.client.environments.create(this.args.name, {
      ...(isProtected ? { protected: true } : {}),
      ...(description === undefined ? {} : { description }),
      ...(storage_location === undefined ? {} : { storage_location }),
    });
    this.done(environment, `Created the environment ${environment.name}${environment.protected ? ', protected' : ''}.`);
  }
}
