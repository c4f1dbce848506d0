import type { PackageIndex } from '@svc/sdk';
import { listFlags } from '../../arguments/flags.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

const COLUMNS: readonly TableColumn<PackageIndex>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'url', cell: ({ url }) => url },
  { header: 'secret', cell: ({ credential_secret }) => credential_secret, hide: 1, whole: true },
];

export default class IndexList extends SvcCommand<typeof IndexList> {
  static override summary = 'List the registered package indexes';
  static override examples = ['svc index list'];
  static override flags = { ...listFlags };

  async run(): Promise<void> {
    const indexes = await this.client.packageIndexes.list();
    await this.list(
      indexes,
      COLUMNS,
      'No package indexes. An administrator registers one: svc index add NAME --url URL',
    );
  }
}
