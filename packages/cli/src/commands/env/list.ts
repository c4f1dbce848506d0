import { boolean } from '@oclif/core/flags';
import type { Environment } from '@svc/sdk';
import { listFlags } from '../../arguments/flags.ts';
import { time, yesNo } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

const COLUMNS: readonly TableColumn<Environment>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'protected', cell: ({ protected: is }) => yesNo(is) },
  { header: 'retention', cell: ({ retention_days: days }) => (days === null ? null : `${days} d`), hide: 2 },
  { header: 'created', cell: ({ created_at }) => time(created_at), hide: 3 },
  { header: 'description', cell: ({ description }) => description, hide: 1 },
];

const DELETED: readonly TableColumn<Environment>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'deleted', cell: ({ deleted_at }) => time(deleted_at) },
  { header: 'restorable until', cell: ({ purge_after }) => time(purge_after), hide: 2 },
  { header: 'description', cell: ({ description }) => description, hide: 1 },
];

export default class EnvList extends SvcCommand<typeof EnvList> {
  static override summary = 'List the environments in which you have a grant, or the deleted ones';
  static override examples = ['svc env list', 'svc env list --deleted'];
  static override flags = {
    deleted: boolean({ description: 'deleted environments whose files still exist' }),
    ...listFlags,
  };

  async run(): Promise<void> {
    if (this.flags.deleted) {
      const deleted = await this.client.environments.list({ deleted: true });
      return this.list(deleted, DELETED, 'No deleted environments.');
    }
    await this.list(await this.client.environments.list(), COLUMNS, 'No environments. Create one: svc env create NAME');
  }
}
