import type { IdentityProvider } from '@svc/sdk';
import { listFlags } from '../../arguments/flags.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

const COLUMNS: readonly TableColumn<IdentityProvider>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'issuer', cell: ({ issuer }) => issuer },
  { header: 'active', cell: ({ active }) => (active ? 'yes' : 'no') },
  { header: 'creates people', cell: ({ create_people }) => (create_people ? 'yes' : 'no'), hide: 1 },
];

export default class IdentityProviderList extends SvcCommand<typeof IdentityProviderList> {
  static override summary = 'List the identity providers';
  static override examples = ['svc identity-provider list'];
  static override flags = { ...listFlags };

  async run(): Promise<void> {
    const nothing =
      'No identity providers. An administrator registers one: svc identity-provider create NAME --issuer URL --client-id ID';
    await this.list(await this.client.identityProviders.list(), COLUMNS, nothing);
  }
}
