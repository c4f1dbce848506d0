import { string } from '@oclif/core/flags';
import type { SavedQuery } from '@svc/sdk';
import { envFlag, pageFlags } from '../../arguments/flags.ts';
import { time, yesNo } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

const COLUMNS: readonly TableColumn<SavedQuery>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'owner', cell: ({ owner }) => owner },
  { header: 'shared', cell: ({ shared }) => yesNo(shared), hide: 3 },
  { header: 'updated', cell: ({ updated_at }) => time(updated_at), hide: 2 },
  { header: 'description', cell: ({ description }) => description, hide: 1 },
  { header: 'id', cell: ({ id }) => id, hide: 4 },
];

export default class SavedQueryList extends SvcCommand<typeof SavedQueryList> {
  static override summary = 'List your saved queries and the shared ones of others';
  static override examples = ['svc saved-query list --env dev', 'svc saved-query list --env dev --search orders'];
  static override flags = {
    ...envFlag,
    search: string({ description: 'text in the name, the description or the statement', helpValue: 'TEXT' }),
    owner: string({ description: 'only those of this principal', helpValue: 'NAME' }),
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { search, owner } = this.flags;
    await this.pagedList(
      (page) => this.client.savedQueries.listPage(this.environment, { search, owner, ...page }),
      COLUMNS,
      'No saved queries.',
    );
  }
}
