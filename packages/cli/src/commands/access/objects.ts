import { string } from '@oclif/core/flags';
import type { ReachedObject } from '@svc/sdk';
import { optionalArg, pageFlags } from '../../arguments/flags.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';
import { scopeText, viaText } from '../../texts/grant-text.ts';

const COLUMNS: readonly TableColumn<ReachedObject>[] = [
  { header: 'object', cell: ({ scope }) => scopeText(scope) },
  { header: 'actions', cell: ({ actions }) => actions },
  { header: 'via', cell: ({ via }) => via.map(viaText), hide: 1 },
];

export default class AccessObjects extends SvcCommand<typeof AccessObjects> {
  static override summary = 'List the objects that a principal can access, and why';
  static override examples = ['svc access objects ann', 'svc access objects ann --action WRITE_TABLE'];
  static override args = { name: optionalArg('name of the principal (default: you)') };
  static override flags = {
    action: string({ description: 'only objects on which the principal has this action', helpValue: 'ACTION' }),
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { action } = this.flags;
    const name = this.args.name ?? (await this.client.access.me()).name;
    await this.pagedList(
      (page) => this.client.principals.objectsPage(name, { action, ...page }),
      COLUMNS,
      `${name} has no access to any object.`,
    );
  }
}
