import type { Query } from '@svc/sdk';
import { envFlag, idArg } from '../../arguments/flags.ts';
import { jsonText } from '../../output/escape.ts';
import { count, duration, time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';
import { sqlText } from './list.ts';

export default class QueryShow extends SvcCommand<typeof QueryShow> {
  static override summary = 'Show a query';
  static override examples = ['svc query show 01997c2e-7b7a-7c1e-8000-000000000001 --env dev'];
  static override args = { id: idArg('query') };
  static override flags = { ...envFlag };

  async run(): Promise<void> {
    const query = await this.client.queries.get(this.environment, await this.fullId('query', this.args.id));
    this.record(query, [
      ['id', query.id],
      ['status', query.status],
      ['submitter', query.submitter],
      ['sql', sqlText(query, Number.POSITIVE_INFINITY)],
      ['params', query.params === undefined ? null : jsonText(query.params)],
      ['into', query.into],
      ['rows', count(query.row_count)],
      ['progress', query.progress === null ? '-' : `${Math.round(query.progress * 100)} %`],
      ['created', time(query.created_at)],
      ['queued for', duration(query.created_at, query.started_at)],
      ['took', duration(query.started_at, query.ended_at)],
      ['cached', query.cached ? 'yes' : null],
      ['client', clientOf(query)],
      ['error', query.error?.detail],
    ]);
  }
}

/** Null if the query came through the REST interface. */
function clientOf({ source, application, client_address: address }: Query): string | null {
  if (source === undefined) return null;
  return `${application ?? 'unnamed application'} at ${address}, through the PostgreSQL protocol`;
}
