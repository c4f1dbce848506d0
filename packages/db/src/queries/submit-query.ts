import type { IntoMode } from '@svc/core/queries';
import type { Transaction } from '../connection/index.ts';
import { announceWork } from '../leases/index.ts';

export interface NewQuery {
  id: string;
  environmentId: string;
  submitterId: string;
  sql: string;
  into: { namespace: string; table: string } | null;
  mode: IntoMode | null;
  breakGlass: string | null;
  tokenKind: string;
  runId: string | null;
  requestId: string;
  now: Date;
}

/** Stores a query for the workers and wakes one. */
export async function submitQuery(client: Transaction, q: NewQuery): Promise<void> {
  await client.query.create({
    data: {
      id: q.id,
      environment_id: q.environmentId,
      submitter_id: q.submitterId,
      status: 'queued',
      sql_text: q.sql,
      into_namespace: q.into?.namespace ?? null,
      into_table: q.into?.table ?? null,
      mode: q.mode,
      break_glass: q.breakGlass,
      token_kind: q.tokenKind,
      run_id: q.runId,
      request_id: q.requestId,
      created_at: q.now,
    },
  });
  await announceWork(client, 'queries');
}
