import { Readable } from 'node:stream';
import { ApiError, invalid } from '@svc/core/errors';
import type { ResultFormat, ResultPage } from '@svc/core/queries';
import type { StoredQuery } from '@svc/db/queries';
import { ResultTooLargeError } from '@svc/lake/queries';
import type { Context } from '../http/context.ts';
import { StreamResponse } from '../http/route.ts';

interface ResultQuery {
  format: ResultFormat;
  limit: number;
  raw: boolean;
}

/** The result of a succeeded query: JSON in pages, CSV, Parquet or Arrow as a whole (`QUERY-6`). */
export async function resultResponse(ctx: Context, row: StoredQuery): Promise<ResultPage | StreamResponse> {
  const refused = resultUnavailableError(ctx, row);
  if (refused !== null) throw refused;
  const { format, limit, raw } = ctx.query as ResultQuery;
  const { store, results } = ctx.deps;
  if (format === 'json') return jsonPage(ctx, row, limit);
  const name = { 'Content-Disposition': `attachment; filename="query-${row.id}.${format}"` };
  const { result_location: location, first_rows: rows } = row;
  if (location !== null) await requireFile(ctx, location);
  const columns = row.columns ?? [];
  if (format === 'csv') {
    const csv = location === null ? [results.csvOfRows(columns, rows!, { raw })] : results.csv(location, { raw });
    return new StreamResponse('text/csv; charset=utf-8', Readable.from(csv), name);
  }
  if (format === 'arrow') {
    const arrow = location === null ? results.arrowOfRows(columns, rows!) : results.arrow(location);
    return new StreamResponse('application/vnd.apache.arrow.stream', Readable.from(arrow), name);
  }
  const file = location === null ? await results.parquetOfRows(columns, rows!) : await store.readStream(location);
  return new StreamResponse('application/vnd.apache.parquet', file, name);
}

/** The reason why the query has no result to read, or null. */
export function resultUnavailableError(ctx: Context, row: StoredQuery): ApiError | null {
  if (row.status === 'queued' || row.status === 'running') {
    return new ApiError(
      'not-ended',
      `The query is ${row.status}: it has no result yet. Wait until it finishes: GET …/queries/${row.id}?wait=60`,
    );
  }
  if (row.status !== 'succeeded') {
    const outcome = row.status === 'cancelled' ? 'was cancelled' : row.status;
    return new ApiError('not-found', `The query ${outcome}: it has no result.`);
  }
  if (row.into_table !== null) {
    return new ApiError(
      'not-found',
      `The query wrote its rows to ${row.into_namespace}.${row.into_table}: read them there.`,
    );
  }
  const forgotten = row.result_location === null && row.first_rows === null;
  const expired = forgotten || (row.result_expires_at !== null && row.result_expires_at <= ctx.now);
  return expired ? gone() : null;
}

/** After a power failure, the file of a recent result may be missing. */
async function requireFile(ctx: Context, location: string): Promise<void> {
  if (!(await ctx.deps.store.stat(location))?.size) throw gone();
}

const gone = () =>
  new ApiError('result-expired', 'Results are retained for 24 hours, and this one has expired. Run the query again.');

/** `ctx` must belong to the results route, because the cursor is valid only there. */
export async function jsonPage(ctx: Context, row: StoredQuery, limit: number): Promise<ResultPage> {
  const offset = ctx.position<number>() ?? 0;
  const total = Number(row.row_count ?? 0);
  if (row.first_rows === null) await requireFile(ctx, row.result_location!);
  // Small results are stored in the record; only large ones need a file.
  const rows = row.first_rows?.slice(offset, offset + limit) ?? (await readPage(ctx, row, { offset, limit }));
  // A page of large cells may have fewer rows than its limit.
  const end = offset + rows.length;
  return { columns: row.columns ?? [], rows, next_cursor: end < total ? ctx.cursorAt(end) : null };
}

async function readPage(
  ctx: Context,
  row: StoredQuery,
  range: { offset: number; limit: number },
): Promise<unknown[][]> {
  const { rows } = await ctx.deps.results.page(row.result_location!, range).catch((error: unknown) => {
    if (!(error instanceof ResultTooLargeError)) throw error;
    throw invalid({ parameter: 'format' }, 'must be parquet: the cells of this result are too large for pages');
  });
  return rows.map((cells) => [...cells]);
}
