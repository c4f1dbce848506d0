import { boolean, string } from '@oclif/core/flags';
import { word } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';

export default class EnvCreate extends SvcCommand<typeof EnvCreate> {
  static override summary = 'Create an environment';
  static override examples = [
    'svc env create dev',
    'svc env create prod --protected --description "What customers see"',
  ];
  static override args = { name: word('name of the environment') };
  static override flags = {
    protected: boolean({ description: 'only runs of the deployed project change its tables' }),
    description: string({ description: 'what it is for', helpValue: 'TEXT' }),
    'storage-location': string({
      description: 'keep its tables in a bucket of its own that the keys of the instance open; others: env update',
      helpValue: 's3://BUCKET/PREFIX',
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
