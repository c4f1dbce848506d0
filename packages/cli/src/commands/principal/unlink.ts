import { string } from '@oclif/core/flags';
import { requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class PrincipalUnlink extends SvcCommand<typeof PrincipalUnlink> {
  static override summary = 'Unlink a person from an identity provider';
  static override description =
    'Memberships that come from the provider end, and so do the sessions that the person has opened with a provider.';
  static override examples = ['svc principal unlink ann --provider corp --yes'];
  static override args = { name: requiredArg('name of the person') };
  static override flags = {
    provider: string({ description: 'identity provider', required: true, helpValue: 'NAME' }),
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { name } = this.args;
    const { provider } = this.flags;
    await this.confirm(`Unlink ${name} from ${provider}?`);
    await this.client.principals.unlinkIdentity(name, provider!);
    this.done(undefined, `Unlinked ${name} from ${provider}.`);
  }
}
