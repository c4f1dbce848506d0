import type { Group } from '@svc/sdk';
import { searchFlags } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

const COLUMNS: readonly TableColumn<Group>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'created', cell: ({ created_at }) => time(created_at), hide: 2 },
  { header: 'id', cell: ({ id }) => id, hide: 1, whole: true },
];

export default class GroupList extends SvcCommand<typeof GroupList> {
  static override summary = 'List groups, newest first';
  static override examples = ['svc group list --search data'];
  static override flags = { ...searchFlags };

  async run(): Promise<void> {
    const { search } = this.flags;
    await this.pagedList((page) => this.client.groups.listPage({ search, ...page }), COLUMNS, 'No groups.');
  }
}
