import type { TokenRecord } from '@svc/sdk';
import { listFlags, optionalArg } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';
import { expiresColumn, lastUseColumns, scopeText } from '../../texts/token-columns.ts';

const COLUMNS: readonly TableColumn<TokenRecord>[] = [
  { header: 'id', cell: ({ id }) => id },
  { header: 'name', cell: ({ name }) => name },
  { header: 'kind', cell: ({ kind }) => kind, hide: 7 },
  { header: 'created', cell: ({ created_at }) => time(created_at), hide: 3 },
  expiresColumn,
  ...lastUseColumns,
  { header: 'scope', cell: scopeText, hide: 6 },
];

export default class TokenList extends SvcCommand<typeof TokenList> {
  static override summary = 'List the active tokens of a principal';
  static override examples = ['svc token list', 'svc token list nightly'];
  static override args = { principal: optionalArg('name of the principal (default: you)') };
  static override flags = { ...listFlags };

  async run(): Promise<void> {
    const principal = this.args.principal ?? (await this.client.access.me()).name;
    await this.list(await this.client.tokens.list(principal), COLUMNS, `${principal} has no tokens.`);
  }
}
