import { boolean, string } from '@oclif/core/flags';
import { shellCommand } from '@svc/core/command-lines';
import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { readStdin } from '../../terminal/stdin.ts';

export default class PrincipalCreate extends SvcCommand<typeof PrincipalCreate> {
  static override summary = 'Create a person or a service account';
  static override examples = [
    'svc principal create nightly --type service-account',
    'svc principal create ann --type person --password-stdin < password.txt',
  ];
  static override args = { name: requiredArg('name of the principal') };
  static override flags = {
    type: string({ description: 'type of principal', options: ['person', 'service-account'], default: 'person' }),
    'password-stdin': boolean({ description: 'read the password from standard input' }),
  };

  async run(): Promise<void> {
    const password = this.flags['password-stdin'] ? await readStdin(this.io) : undefined;
    const principal = await this.client.principals.create({
      name: this.args.name,
      type: this.flags.type as 'person',
      ...(password === undefined ? {} : { password }),
    });
    this.done(
      principal,
      `Created the ${principal.type === 'person' ? 'person' : 'service account'} ${principal.name}.`,
    );
    if (this.json) return;
    const { name } = principal;
    if (principal.type === 'service-account')
      this.note(`To issue a token for it: ${shellCommand('svc token issue', name, ['TOKEN_NAME'])}`);
    else if (password === undefined)
      this.note(`To set a password: ${shellCommand('svc principal set-password', name, [])}`);
  }
}
