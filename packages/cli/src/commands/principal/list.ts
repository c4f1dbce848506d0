import { searchFlags } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { PRINCIPAL_COLUMNS } from '../../texts/principal-columns.ts';

export default class PrincipalList extends SvcCommand<typeof PrincipalList> {
  static override summary = 'List principals, newest first';
  static override examples = ['svc principal list --search ann'];
  static override flags = { ...searchFlags };

  async run(): Promise<void> {
    const { search } = this.flags;
    await this.pagedList(
      (page) => this.client.principals.listPage({ search, ...page }),
      PRINCIPAL_COLUMNS,
      'No principals.',
    );
  }
}
