import { string } from '@oclif/core/flags';
import type { Holder } from '@svc/sdk';
import { atFlag, pageFlags, parseObject, serviceAccountFlag } from '../../arguments/flags.ts';
import { parseTime } from '../../arguments/time.ts';
import { yesNo } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';
import { viaText } from '../../texts/grant-text.ts';

const COLUMNS: readonly TableColumn<Holder>[] = [
  { header: 'principal', cell: ({ principal }) => principal },
  { header: 'type', cell: ({ type }) => type, hide: 2 },
  { header: 'active', cell: ({ active }) => yesNo(active), hide: 3 },
  { header: 'via', cell: ({ via }) => via.map(viaText), hide: 1 },
];

export default class AccessWho extends SvcCommand<typeof AccessWho> {
  static override summary = 'List who can perform an action on an object, and why';
  static override examples = ['svc access who --action READ_TABLE --scope dev/sales/orders'];
  static override flags = {
    action: string({ description: 'action', helpValue: 'ACTION', required: true }),
    scope: string({ description: 'object (default: the instance)', helpValue: 'ENV[/NAMESPACE[/TABLE]]' }),
    ...serviceAccountFlag,
    ...atFlag,
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { action } = this.flags;
    const filters = { action, ...parseObject(this.flags), at: parseTime('at', this.flags.at) };
    await this.pagedList(
      (page) => this.client.access.whoPage({ ...filters, ...page }),
      COLUMNS,
      `No principal has ${action} on this object.`,
    );
  }
}
