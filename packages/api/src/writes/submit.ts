import type { DataFormat } from '@svc/core/tables';
import { csvOptionsOf, errorLimit, type LoadFields, type Write } from '@svc/core/writes';
import { findWrite, type StagedParts, submitWrite, writeRecord } from '@svc/db/writes';
import type { Context } from '../http/context.ts';

/** Enqueues the load of staged files into the table of the path. */
export async function submit(
  ctx: Context,
  rows: { format: DataFormat; files: readonly StagedParts[] },
  fields: LoadFields,
): Promise<Write> {
  const { mode, key, watermark } = fields;
  const id = ctx.deps.newId();
  await submitWrite(ctx.db, {
    id,
    environmentId: ctx.environment.id,
    tableId: ctx.table.id,
    requestedBy: ctx.caller.id,
    mode,
    mergeKey: key ?? [],
    format: rows.format,
    files: rows.files,
    csvOptions: csvOptionsOf(fields),
    maxErrors: errorLimit(fields),
    watermark: watermark ?? null,
    breakGlass: ctx.breakGlass,
    runId: ctx.caller.token.run_id,
    requestId: ctx.requestId,
    traceparent: ctx.traceparent,
    now: ctx.now,
  });
  return writeRecord((await findWrite(ctx.db, id))!);
}
