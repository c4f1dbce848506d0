import type { Repository } from '@svc/sdk';
import { listFlags } from '../../arguments/flags.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

const COLUMNS: readonly TableColumn<Repository>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'url', cell: ({ url }) => url ?? 'folders only' },
  { header: 'ref', cell: ({ default_ref }) => default_ref, hide: 3 },
  { header: 'folder', cell: ({ folder }) => folder, hide: 2 },
  { header: 'secret', cell: ({ credential_secret }) => credential_secret, hide: 1 },
];

export default class RepositoryList extends SvcCommand<typeof RepositoryList> {
  static override summary = 'List the registered repositories';
  static override examples = ['svc repository list'];
  static override flags = { ...listFlags };

  async run(): Promise<void> {
    await this.list(
      await this.client.repositories.list(),
      COLUMNS,
      'No repositories. Register one: svc repository add NAME',
    );
  }
}
