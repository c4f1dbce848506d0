import { string } from '@oclif/core/flags';
import { eventText } from '@svc/core/audit';
import type { AuditEvent } from '@svc/sdk';
import { pageFlags, sinceFlag, untilFlag } from '../../arguments/flags.ts';
import { parseTime } from '../../arguments/time.ts';
import { time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

function objectText({ object }: AuditEvent): string {
  const names = [object.environment, object.namespace, object.table].filter((part) => part);
  return names.join('/') || object.kind.toLowerCase();
}

const COLUMNS: readonly TableColumn<AuditEvent>[] = [
  { header: 'time', cell: (event) => time(event.time) },
  { header: 'type', cell: (event) => event.type },
  { header: 'principal', cell: (event) => event.principal },
  { header: 'object', cell: objectText, hide: 3 },
  { header: 'detail', cell: eventText, hide: 2 },
  { header: 'id', cell: (event) => event.id, hide: 1, whole: true },
];

export default class AuditList extends SvcCommand<typeof AuditList> {
  static override summary = 'List the events of the audit log, newest first';
  static override examples = [
    'svc audit list --event-type AUTHORIZATION_DENIED --since 2026-03-01',
    'svc audit list --env dev --ns sales --table orders',
  ];
  static override flags = {
    'event-type': string({ description: 'only this event type', helpValue: 'TYPE' }),
    'principal-id': string({ description: 'only this principal', helpValue: 'ID' }),
    env: string({ description: 'only this environment', helpValue: 'ENV' }),
    ns: string({ description: 'only this namespace and its tables, with --env', helpValue: 'NAMESPACE' }),
    table: string({ description: 'only this table, with --ns', helpValue: 'TABLE' }),
    'request-id': string({ description: 'only this request', helpValue: 'ID' }),
    ...sinceFlag('start, inclusive'),
    ...untilFlag,
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { env, ns, table, since, until } = this.flags;
    const filters = {
      event_type: this.flags['event-type'],
      principal_id: this.flags['principal-id'],
      environment: env,
      namespace: ns,
      table,
      request_id: this.flags['request-id'],
      since: parseTime('since', since),
      until: parseTime('until', until),
    };
    await this.pagedList((page) => this.client.audit.listPage({ ...filters, ...page }), COLUMNS, 'No events.');
  }
}
