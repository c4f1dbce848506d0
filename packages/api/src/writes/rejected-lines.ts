import { ApiError } from '@svc/core/errors';
import { isFinished } from '@svc/core/writes';
import type { StoredWrite } from '@svc/db/writes';
import type { Context } from '../http/context.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { StreamResponse } from '../http/route.ts';

/** The lines that a load left out. They aren't part of the table, so only the requester sees them. */
export async function rejectedLines(ctx: Context<{ id: string }>, row: StoredWrite): Promise<StreamResponse> {
  if (row.requested_by !== ctx.caller.id || ctx.tokenScope?.actions != null) throw notFound('write', row.id);
  if (!isFinished(row)) throw new ApiError('not-ended', `The write is ${row.status}. Wait until it finishes.`);
  if (row.rejected_location === null) throw new ApiError('not-found', 'The write left out no lines.');
  const { store } = ctx.deps;
  if ((await store.stat(row.rejected_location)) === null)
    throw new ApiError('result-expired', 'Rejected lines are retained for a day, and these have expired.');
  const headers = { 'Content-Disposition': `attachment; filename="write-${row.id}-rejected.csv"` };
  return new StreamResponse('text/csv; charset=utf-8', await store.readStream(row.rejected_location), headers);
}
