import type { TokenRecord } from '@svc/sdk';
import { listFlags } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';
import { expiresColumn, lastUseColumns } from '../../texts/token-columns.ts';

export default class SessionList extends SvcCommand<typeof SessionList> {
  static override summary = 'List your sessions: where you are signed in';
  static override examples = ['svc session list'];
  static override flags = { ...listFlags };

  async run(): Promise<void> {
    const { name, token } = await this.client.access.me();
    const sessions = (await this.client.tokens.list(name)).filter(({ kind }) => kind === 'session');
    const columns: readonly TableColumn<TokenRecord>[] = [
      { header: 'id', cell: ({ id }) => id },
      { header: 'signed in', cell: ({ created_at }) => time(created_at) },
      ...lastUseColumns,
      expiresColumn,
      { header: 'this one', cell: ({ id }) => (id === token.id ? 'yes' : '-'), hide: 3 },
    ];
    await this.list(sessions, columns, 'You have no sessions.');
  }
}
