import { createHash } from 'node:crypto';
import { INSTANCE } from '@svc/core/access';
import type { Query } from '@svc/core/queries';
import { queryRecord, type StoredQuery } from '@svc/db/queries';
import type { Context } from '../http/context.ts';

/** The record as the caller may see it: somebody else's statement needs READ_QUERY_TEXT (specification 6.2). */
export function shownQuery(ctx: Context, row: StoredQuery): Query {
  const own = row.submitter_id === ctx.caller.id;
  if (own || ctx.decide('READ_QUERY_TEXT', INSTANCE).allowed) return queryRecord(row);
  return queryRecord(row, {
    sha256: createHash('sha256').update(row.sql_text).digest('hex'),
    length: [...row.sql_text].length,
  });
}
