import { string } from '@oclif/core/flags';
import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class PrincipalLink extends SvcCommand<typeof PrincipalLink> {
  static override summary = 'Link a person to a subject of an identity provider';
  static override examples = ['svc principal link ann --provider corp --subject 248289761001'];
  static override args = { name: requiredArg('name of the person') };
  static override flags = {
    provider: string({ description: 'identity provider', required: true, helpValue: 'NAME' }),
    subject: string({
      description: 'subject of the person at the provider: sub in its tokens',
      required: true,
      helpValue: 'SUBJECT',
    }),
  };

  async run(): Promise<void> {
    const { provider, subject } = this.flags;
    const methods = await this.client.principals.linkIdentity(this.args.name, provider!, subject!);
    this.done(methods, `Linked ${methods.principal} to ${subject} of ${provider}.`);
  }
}
