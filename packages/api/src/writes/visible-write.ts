import type { Write } from '@svc/core/writes';
import { type StoredWrite, writeRecord } from '@svc/db/writes';
import type { Context } from '../http/context.ts';
import { withoutRows } from '../runs/visible-content.ts';
import { seesRowsOf } from '../tables/table-work.ts';

/** The record as the caller may see it: the error of a load quotes values of its file, and its counts are those of rows. */
export async function visibleWrite(ctx: Context, row: StoredWrite): Promise<Write> {
  const record = writeRecord(row);
  if (await seesRowsOf(ctx, row)) return record;
  return { ...record, rows: null, rejected: null, progress: null, error: withoutRows(record.error, WHO) };
}

const WHO = 'the requester and callers without a row filter or column mask on the table';
