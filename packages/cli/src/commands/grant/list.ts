import { string } from '@oclif/core/flags';
import { pageFlags, scopeFlags, scopeNames } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { GRANT_COLUMNS } from '../../texts/grant-text.ts';

export default class GrantList extends SvcCommand<typeof GrantList> {
  static override summary = 'List active grants, newest first';
  static override examples = ['svc grant list --principal ann', 'svc grant list --action READ_TABLE --env dev'];
  static override flags = {
    principal: string({
      description: 'principal that was granted the role or action directly',
      helpValue: 'NAME',
      exclusive: ['group'],
    }),
    group: string({ description: 'group that was granted the role or action', helpValue: 'NAME' }),
    action: string({ description: 'action that the grant allows, directly or through a role', helpValue: 'ACTION' }),
    ...scopeFlags,
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { principal, group, action } = this.flags;
    const filters = {
      principal_name: principal,
      group_name: group,
      action,
      ...scopeNames(this.flags),
    };
    await this.pagedList((page) => this.client.grants.listPage({ ...filters, ...page }), GRANT_COLUMNS, 'No grants.');
  }
}
