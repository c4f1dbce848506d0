import { string } from '@oclif/core/flags';
import { requiredArg } from '../../arguments/flags.ts';
import { providerFields, providerFlags } from '../../arguments/provider-flags.ts';
import { escaped } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class IdentityProviderCreate extends SvcCommand<typeof IdentityProviderCreate> {
  static override summary = 'Register an identity provider that people can sign in with';
  static override description =
    'Register the redirect URI that the command prints at the provider. The guide "Single sign-on" has the steps for common providers.';
  static override examples = [
    'svc identity-provider create corp --issuer https://id.example.com --client-id svc --client-secret-stdin --create-people < secret.txt',
    'svc identity-provider create corp --issuer https://id.example.com --client-id svc --link-by verified-email --email-domain example.com',
  ];
  static override args = { name: requiredArg('name, which the sign-in page and the redirect URI show') };
  static override flags = {
    issuer: string({ description: 'URL of the issuer, as in its tokens', required: true, helpValue: 'URL' }),
    'client-id': string({ description: 'id of the client at the provider', required: true, helpValue: 'ID' }),
    ...providerFlags,
  };

  async run(): Promise<void> {
    const { issuer, 'client-id': clientId } = this.flags;
    const fields = await providerFields(this.io, this.flags);
    const provider = await this.client.identityProviders.create({
      name: this.args.name,
      issuer: issuer!,
      client_id: clientId!,
      ...fields,
    });
    this.done(provider, `Registered the identity provider ${provider.name}: ${provider.issuer}`);
    if (this.json) return;
    const base = (this.settings.url.value ?? '').replace(/\/$/, '');
    this.note(
      escaped(`Redirect URI, to be registered at the provider: ${base}/console/sign-in/${provider.name}/callback`),
    );
  }
}
