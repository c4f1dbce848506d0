import { string } from '@oclif/core/flags';
import { pageFlags, scopeFlags, scopeNames } from '../../arguments/flags.ts';
import { parseTimeAgo } from '../../arguments/time.ts';
import { SvcCommand } from '../../svc-command.ts';
import { GRANT_COLUMNS, LAST_USED } from '../../texts/grant-text.ts';

export default class GrantList extends SvcCommand<typeof GrantList> {
  static override summary = 'List active grants, newest first';
  static override examples = [
    'svc grant list --principal ann',
    'svc grant list --action READ_TABLE --env dev',
    'svc grant list --unused-for 90d',
  ];
  static override flags = {
    principal: string({
      description: 'principal that was granted the role or action directly',
      helpValue: 'NAME',
      exclusive: ['group'],
    }),
    group: string({ description: 'group that was granted the role or action', helpValue: 'NAME' }),
    action: string({ description: 'action that the grant allows, directly or through a role', helpValue: 'ACTION' }),
    ...scopeFlags,
    'unused-for': string({
      description: 'only grants that are at least this old and have allowed nothing since, such as 90d',
      helpValue: 'DURATION',
    }),
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { principal, group, action } = this.flags;
    const filters = {
      principal_name: principal,
      group_name: group,
      action,
      ...scopeNames(this.flags),
      unused_since: parseTimeAgo('unused-for', this.flags['unused-for'], this.io.now()),
    };
    const columns = this.flags['unused-for'] === undefined ? GRANT_COLUMNS : [...GRANT_COLUMNS, LAST_USED];
    await this.pagedList((page) => this.client.grants.listPage({ ...filters, ...page }), columns, 'No grants.');
  }
}
