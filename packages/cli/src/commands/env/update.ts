import { boolean, string } from '@oclif/core/flags';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';
import { word } from '../../flags.ts';

export default class EnvUpdate extends SvcCommand<typeof EnvUpdate> {
  static override summary = 'Protect, unprotect or describe an environment';
  static override examples = ['svc env update prod --protected', 'svc env update dev --no-protected'];
  static override args = { name: word('name of the environment') };
  static override flags = {
    protected: boolean({ description: 'only runs of the deployed project change its tables', allowNo: true }),
    description: string({ description: 'what it is for; empty removes it', helpValue: 'TEXT' }),
  };

  async run(): Promise<void> {
    const { protected: isProtected, description } = this.flags;
    const body = {
      ...(isProtected === undefined ? {} : { protected: isProtected }),
      ...(description === undefined ? {} : { description: description === '' ? null : description }),
    };
    if (Object.keys(body).length === 0)
      throw usage('Nothing to change: give --protected, --no-protected or --description.');
    const environment = await this.client.environments.update(this.args.name, body);
    this.done(environment, `Updated the environment ${environment.name}.`);
  }
}
