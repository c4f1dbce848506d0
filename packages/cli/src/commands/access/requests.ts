import { string } from '@oclif/core/flags';
import { REQUEST_STATES } from '@svc/core/access-requests';
import type { AccessRequest } from '@svc/sdk';
import { pageFlags } from '../../arguments/flags.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';
import { scopeText, untilText } from '../../texts/grant-text.ts';

const COLUMNS: readonly TableColumn<AccessRequest>[] = [
  { header: 'id', cell: ({ id }) => id, id: true },
  { header: 'principal', cell: ({ principal }) => principal },
  { header: 'requests', cell: (request) => `${request.role ?? request.action}${untilText(request)}` },
  { header: 'on', cell: scopeText },
  { header: 'state', cell: ({ state }) => state, state: true },
  { header: 'reason', cell: ({ reason, comment }) => comment ?? reason, hide: 2 },
  { header: 'created', cell: ({ created_at }) => created_at.slice(0, 10), hide: 1 },
];

export default class AccessRequests extends SvcCommand<typeof AccessRequests> {
  static override summary = 'List your requests for access, newest first; as an administrator those of everyone';
  static override examples = ['svc access requests', 'svc access requests --state pending'];
  static override flags = {
    state: string({ description: 'only requests in this state', options: [...REQUEST_STATES], helpValue: 'STATE' }),
    principal: string({ description: 'only requests of this principal', helpValue: 'NAME' }),
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { state, principal } = this.flags;
    await this.pagedList(
      (page) => this.client.accessRequests.listPage({ state, principal, ...page }),
      COLUMNS,
      'No requests.',
    );
  }
}
