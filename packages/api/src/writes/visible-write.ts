import type { Failure } from '@svc/core/errors';
import type { Write } from '@svc/core/writes';
import { type StoredWrite, writeRecord } from '@svc/db/writes';
import { quotesNothing } from '@svc/lake/queries';
import type { Context } from '../http/context.ts';
import { seesRowsOf } from '../tables/table-work.ts';

/** The record as the caller may see it: the error of a load quotes values of its file, and its counts are those of rows. */
export async function visibleWrite(ctx: Context, row: StoredWrite): Promise<Write> {
  const record = writeRecord(row);
  if (await seesRowsOf(ctx, row)) return record;
  return { ...record, rows: null, rejected: null, progress: null, error: withoutContent(record.error) };
}

function withoutContent(error: Failure | null): Failure | null {
  if (error === null || quotesNothing(error.code)) return error;
  const detail =
    'The error can quote rows. Only the requester and callers without a row filter or column mask on the table see it.';
  return { code: error.code, detail, remedy: null };
}
