import { string } from '@oclif/core/flags';
import type { Deploy } from '@svc/sdk';
import { envFlag, pageFlags } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';
import { watchFlag } from '../../terminal/watch.ts';
import { commitText } from '../../texts/deploy-text.ts';

const COLUMNS: readonly TableColumn<Deploy>[] = [
  { header: 'id', cell: ({ id }) => id, id: true },
  { header: 'status', cell: ({ status }) => status, state: true },
  { header: 'repository', cell: ({ repository }) => repository, hide: 6 },
  { header: 'version', cell: ({ project_version_id }) => project_version_id, hide: 5, whole: true, id: true },
  { header: 'created', cell: ({ created_at }) => time(created_at), hide: 4 },
  { header: 'commit', cell: commitText, hide: 3 },
  { header: 'by', cell: ({ created_by }) => created_by, hide: 2 },
  { header: 'warnings', cell: ({ warnings }) => warnings.length, right: true, hide: 1 },
];

export default class DeploysList extends SvcCommand<typeof DeploysList> {
  static override summary = 'List deploys, newest first';
  static override examples = ['svc deploys list --env dev --repo shop'];
  static override flags = {
    ...envFlag,
    repo: string({ description: 'only this repository', helpValue: 'NAME' }),
    ...watchFlag,
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { repo } = this.flags;
    await this.pagedList(
      (page) => this.client.deploys.listPage(this.environment, { repository: repo, ...page }),
      COLUMNS,
      'No deploys.',
    );
  }
}
