import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { INSTANCE } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import type { Query } from '@svc/core/queries';
import { queryRecord, type StoredQuery } from '@svc/db/queries';
import { quotesNothing } from '@svc/lake/queries';
import type { Context } from '../http/context.ts';

/**
 * Whether the token shows its principal's query. One that carries only some actions shows only queries of tokens that carried the
 * same: others may have read what it can't read.
 */
export function isVisibleToToken(ctx: Context, { token_actions: actions }: StoredQuery): boolean {
  const own = ctx.tokenScope?.actions ?? null;
  return ctx.isInScope() && (own === null || isDeepStrictEqual(new Set(own), new Set(actions)));
}

/**
 * The record as the caller may see it. Another person's statement needs READ_QUERY_TEXT (`AUDIT-10`), and so does
 * anything that quotes it or the rows it read, such as column names and error messages.
 */
export function visibleQuery(ctx: Context, row: StoredQuery): Query {
  const own = row.submitter_id === ctx.caller.id && isVisibleToToken(ctx, row);
  if (own || ctx.decide('READ_QUERY_TEXT', INSTANCE).allowed) return queryRecord(row);
  const record = queryRecord(row, {
    sha256: createHash('sha256').update(row.sql_text).digest('hex'),
    length: [...row.sql_text].length,
  });
  return { ...record, columns: null, error: withoutContent(record.error) };
}

function withoutContent(error: Failure | null): Failure | null {
  if (error === null || quotesNothing(error.code)) return error;
  const detail =
    'The error can quote the statement and its rows. Only the submitter and callers with READ_QUERY_TEXT can see it.';
  return { code: error.code, detail, remedy: null };
}
