import { requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class IdentityProviderDelete extends SvcCommand<typeof IdentityProviderDelete> {
  static override summary = 'Delete an identity provider with its identities';
  static override description =
    'People stay, but can no longer sign in with it. Memberships that come from it end, and so do the sessions that its people have opened with a provider.';
  static override examples = ['svc identity-provider delete corp --yes'];
  static override args = { name: requiredArg('name of the identity provider') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { name } = this.args;
    await this.confirm(`Delete the identity provider ${name}? Nobody can sign in with it any more.`);
    await this.client.identityProviders.delete(name);
    this.done(undefined, `Deleted the identity provider ${name}.`);
  }
}
