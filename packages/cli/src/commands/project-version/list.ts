import { string } from '@oclif/core/flags';
import type { ProjectVersionSummary } from '@svc/sdk';
import { envFlag, pageFlags } from '../../arguments/flags.ts';
import { time, yesNo } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';
import { commitText } from '../../texts/deploy-text.ts';

const COLUMNS: readonly TableColumn<ProjectVersionSummary>[] = [
  { header: 'id', cell: ({ id }) => id, id: true },
  { header: 'active', cell: ({ active }) => yesNo(active) },
  { header: 'repository', cell: ({ repository }) => repository, hide: 4 },
  { header: 'commit', cell: commitText, hide: 3 },
  { header: 'assets', cell: ({ asset_count }) => asset_count, right: true, hide: 2 },
  { header: 'jobs', cell: ({ jobs }) => jobs.length, right: true, hide: 1 },
  { header: 'created', cell: ({ created_at }) => time(created_at), hide: 5 },
];

export default class ProjectVersionList extends SvcCommand<typeof ProjectVersionList> {
  static override summary = 'List project versions, newest first';
  static override examples = ['svc project-version list --env dev --repo shop'];
  static override description = 'svc rollback REPOSITORY --to ID activates one of them.';
  static override flags = {
    ...envFlag,
    repo: string({ description: 'only this repository', helpValue: 'NAME' }),
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { repo } = this.flags;
    await this.pagedList(
      (page) => this.client.projectVersions.listPage(this.environment, { repository: repo, ...page }),
      COLUMNS,
      'No project versions.',
    );
  }
}
