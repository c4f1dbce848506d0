import { requiredArg } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

const yesNo = (value: boolean) => (value ? 'yes' : 'no');

export default class IdentityProviderShow extends SvcCommand<typeof IdentityProviderShow> {
  static override summary = 'Show an identity provider';
  static override examples = ['svc identity-provider show corp'];
  static override args = { name: requiredArg('name of the identity provider') };

  async run(): Promise<void> {
    const provider = await this.client.identityProviders.get(this.args.name);
    this.record(provider, [
      ['name', provider.name],
      ['id', provider.id],
      ['issuer', provider.issuer],
      ['client id', provider.client_id],
      ['client secret', provider.has_client_secret ? 'set' : 'none: a public client'],
      ['scopes', provider.scopes.join(', ')],
      ['linked by', provider.link_by],
      ['creates people', yesNo(provider.create_people)],
      ['e-mail domains', provider.email_domains.join(', ') || 'any'],
      ['groups claim', provider.groups_claim],
      ['groups', provider.groups.map(({ value, group }) => `${value} = ${group}`)],
      ['scim account', provider.scim_account],
      ['active', yesNo(provider.active)],
      ['created', time(provider.created_at)],
      ['created by', provider.created_by],
      ['updated', time(provider.updated_at)],
    ]);
  }
}
