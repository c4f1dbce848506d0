import { string } from '@oclif/core/flags';
import { requiredArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class PrincipalUpdate extends SvcCommand<typeof PrincipalUpdate> {
  static override summary = 'Set the e-mail address that an identity may be linked to';
  static override description =
    'At a provider with --link-by verified-email, the first identity with this verified address is linked to the person.';
  static override examples = [
    'svc principal update ann --email ann@example.com',
    'svc principal update ann --clear email',
  ];
  static override args = { name: requiredArg('name of the person') };
  static override flags = {
    email: string({ description: 'e-mail address', helpValue: 'ADDRESS', exclusive: ['clear'] }),
    clear: string({ description: 'field to clear', options: ['email'], helpValue: 'FIELD' }),
  };

  async run(): Promise<void> {
    const { email = null, clear } = this.flags;
    if (email === null && clear === undefined) throw usageError('Nothing to change. Add --email or --clear email.');
    const methods = await this.client.principals.setEmail(this.args.name, email);
    const done =
      email === null
        ? `${methods.principal} has no e-mail address.`
        : `${methods.principal} has the address ${methods.email}.`;
    this.done(methods, done);
  }
}
