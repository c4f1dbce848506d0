import type { Secret } from '@svc/sdk';
import { envFlag, listFlags } from '../../arguments/flags.ts';
import { useText } from '../../arguments/secret-target.ts';
import { time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

const COLUMNS: readonly TableColumn<Secret>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'use', cell: useText },
  { header: 'keys', cell: ({ keys }) => keys.join(', '), hide: 2 },
  { header: 'updated', cell: ({ created_at, rotated_at }) => time(rotated_at ?? created_at), hide: 1 },
];

export default class SecretList extends SvcCommand<typeof SecretList> {
  static override summary = 'List the secrets of an environment, without their values';
  static override examples = ['svc secret list --env prod'];
  static override flags = { ...envFlag, ...listFlags };

  async run(): Promise<void> {
    await this.list(await this.client.secrets.list(this.environment), COLUMNS, `No secrets in ${this.environment}.`);
  }
}
