import { string } from '@oclif/core/flags';
import { requiredArg } from '../../arguments/flags.ts';
import { providerFields, providerFlags } from '../../arguments/provider-flags.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';

/** What a field is when it is cleared. */
const CLEARED: Readonly<Record<string, null | []>> = {
  client_secret: null,
  email_domains: [],
  groups_claim: null,
  groups: [],
  scim_account: null,
};

export default class IdentityProviderUpdate extends SvcCommand<typeof IdentityProviderUpdate> {
  static override summary = 'Change an identity provider';
  static override description =
    'Repeatable options replace the whole list. The issuer stays: register another provider for another issuer.';
  static override examples = [
    'svc identity-provider update corp --client-secret-stdin < secret.txt',
    'svc identity-provider update corp --groups-claim groups --group data-team=analysts',
    'svc identity-provider update corp --clear groups --clear groups_claim',
    'svc identity-provider update corp --scim-account corp-scim',
    'svc identity-provider update corp --no-active',
  ];
  static override args = { name: requiredArg('name of the identity provider') };
  static override flags = {
    'client-id': string({ description: 'id of the client at the provider', helpValue: 'ID' }),
    ...providerFlags,
    clear: string({
      description: 'field to clear; repeatable',
      options: Object.keys(CLEARED),
      helpValue: 'FIELD',
      multiple: true,
      multipleNonGreedy: true,
    }),
  };

  async run(): Promise<void> {
    const { 'client-id': client_id, clear = [] } = this.flags;
    const fields = await providerFields(this.io, this.flags);
    const cleared = Object.fromEntries(clear.map((field) => [field, CLEARED[field]]));
    const both = Object.keys(fields).find((field) => field in cleared);
    if (both !== undefined) throw usageError(`--clear ${both}: the same command line sets it. Remove one of the two.`);
    const changes = { ...fields, ...cleared, ...(client_id === undefined ? {} : { client_id }) };
    if (Object.keys(changes).length === 0)
      throw usageError('Nothing to change. See the options: svc identity-provider update --help.');
    const provider = await this.client.identityProviders.update(this.args.name, changes);
    this.done(provider, `Updated the identity provider ${provider.name}.`);
  }
}
