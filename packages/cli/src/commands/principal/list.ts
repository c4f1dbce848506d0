import { searchFlags } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { PRINCIPAL_COLUMNS } from '../../texts/principal-columns.ts';

export default class PrincipalList extends SvcCommand<typeof PrincipalList> {
  static override summary = 'List principals, newest first';
  static override examples = ['svc principal list --search ann'];
  static override flags = { ...searchFlags };

  async run(): Promise<void> {
    const { search, limit, cursor } = this.flags;
    await this.page(
      await this.client.principals.listPage({ search, limit, cursor }),
      PRINCIPAL_COLUMNS,
      'No principals.',
    );
  }
}
