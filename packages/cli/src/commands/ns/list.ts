import type { Namespace } from '@svc/sdk';
import { envFlag, pageFlags } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

const COLUMNS: readonly TableColumn<Namespace>[] = [
  { header: 'namespace', cell: ({ path }) => path },
  { header: 'created', cell: ({ created_at }) => time(created_at), hide: 2 },
  { header: 'description', cell: ({ description }) => description, hide: 1 },
];

export default class NsList extends SvcCommand<typeof NsList> {
  static override summary = 'List the namespaces that you can read';
  static override examples = ['svc ns list --env dev'];
  static override flags = { ...envFlag, ...pageFlags };

  async run(): Promise<void> {
    await this.pagedList(
      (page) => this.client.namespaces.listPage(this.environment, page),
      COLUMNS,
      `No namespaces. Create one: svc ns create PATH --env ${this.environment}`,
    );
  }
}
