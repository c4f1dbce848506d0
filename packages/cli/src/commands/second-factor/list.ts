import type { SecondFactor } from '@svc/sdk';
import { listFlags } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

const COLUMNS: readonly TableColumn<SecondFactor>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'kind', cell: ({ kind }) => kind },
  { header: 'last used', cell: ({ last_used_at: at }) => (at === null ? '-' : time(at)), hide: 1 },
];

export default class SecondFactorList extends SvcCommand<typeof SecondFactorList> {
  static override summary = 'List your second factors';
  static override examples = ['svc second-factor list'];
  static override flags = { ...listFlags };

  async run(): Promise<void> {
    const { factors, recovery_codes_left: left } = await this.client.secondFactors.list();
    await this.list(factors, COLUMNS, 'No second factors. Add an authenticator app: svc second-factor add NAME');
    if (!this.json && factors.length > 0) this.note(`Recovery codes left: ${left}`);
  }
}
