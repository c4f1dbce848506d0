import { boolean, string } from '@oclif/core/flags';
import type { Query } from '@svc/sdk';
import { envFlag, pageFlags } from '../../arguments/flags.ts';
import { time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';
import { watchFlag } from '../../terminal/watch.ts';

const SQL_SHOWN = 60;

/** The first characters of the statement, or its length if the text is hidden. */
export function sqlText({ sql_text: text }: Query, longest = SQL_SHOWN): string | null {
  if (text === null) return null;
  if (typeof text !== 'string') return `hidden (${text.length} characters)`;
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

const COLUMNS: readonly TableColumn<Query>[] = [
  { header: 'id', cell: ({ id }) => id, id: true },
  { header: 'status', cell: ({ status }) => status, state: true },
  { header: 'submitter', cell: ({ submitter }) => submitter, hide: 3 },
  { header: 'created', cell: ({ created_at }) => time(created_at), hide: 2 },
  { header: 'sql', cell: (query) => sqlText(query), hide: 1 },
];

export default class QueryList extends SvcCommand<typeof QueryList> {
  static override summary =
    'List queries: running, then queued, then, with --all, those that finished in the last 24 hours';
  static override examples = [
    'svc query list --env dev --all',
    'svc query list --env dev --status failed --submitter ann',
  ];
  static override flags = {
    ...envFlag,
    status: string({ description: 'only this status', helpValue: 'STATUS', multiple: true }),
    submitter: string({ description: 'only this principal', helpValue: 'NAME' }),
    ...watchFlag,
    ...pageFlags,
    all: boolean({ description: 'include finished queries' }),
    // In the specification, --all has another meaning here.
    'all-pages': boolean({ description: 'read all pages', default: false, exclusive: ['watch'] }),
  };

  async run(): Promise<void> {
    const { all, status, submitter } = this.flags;
    const filters = { include_ended: all ? true : undefined, status, submitter };
    await this.pagedList(
      (page) => this.client.queries.listPage(this.environment, { ...filters, ...page }),
      COLUMNS,
      all || status !== undefined
        ? 'No queries.'
        : 'No running or queued queries. To include finished ones, add --all.',
    );
  }
}
