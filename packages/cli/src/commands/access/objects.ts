import { string } from '@oclif/core/flags';
import type { ReachedObject } from '@svc/sdk';
import { optionalWord, pageFlags } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import type { TableColumn } from '../../output/table.ts';
import { scopeText, viaText } from '../../texts/grant-text.ts';

const COLUMNS: readonly TableColumn<ReachedObject>[] = [
  { header: 'object', cell: ({ scope }) => scopeText(scope) },
  { header: 'actions', cell: ({ actions }) => actions },
  { header: 'through', cell: ({ via }) => via.map(viaText), hide: 1 },
];

export default class AccessObjects extends SvcCommand<typeof AccessObjects> {
  static override summary = 'What a principal can touch, and through what';
  static override examples = ['svc access objects ann', 'svc access objects ann --action WRITE_TABLE'];
  static override args = { name: optionalWord('name of the principal; default yourself') };
  static override flags = {
    action: string({ description: 'only where it can do this', helpValue: 'ACTION' }),
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { action, limit, cursor } = this.flags;
    const name = this.args.name ?? (await this.client.access.me()).name;
    const page = await this.client.principals.objectsPage(name, { action, limit, cursor });
    await this.page(page, COLUMNS, `No grant gives ${name} anything.`);
  }
}
