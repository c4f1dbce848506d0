import type { DataFormat } from '@svc/core/tables';
import type { LoadMode, Write } from '@svc/core/writes';
import { findWrite, submitWrite, writeRecord } from '@svc/db/writes';
import type { Context } from '../http/context.ts';

/** Enqueues the load of staged files into the table of the path. */
export async function submit(
  ctx: Context,
  rows: { format: DataFormat; locations: readonly string[] },
  { mode, key, watermark }: { mode: LoadMode; key?: readonly string[] | undefined; watermark?: string | undefined },
): Promise<Write> {
  const id = ctx.deps.newId();
  await submitWrite(ctx.db, {
    id,
    environmentId: ctx.environment.id,
    tableId: ctx.table.id,
    requestedBy: ctx.caller.id,
    mode,
    mergeKey: key ?? [],
    format: rows.format,
    stagedLocations: rows.locations,
    watermark: watermark ?? null,
    breakGlass: ctx.breakGlass,
    runId: ctx.caller.token.run_id,
    requestId: ctx.requestId,
    traceparent: ctx.traceparent,
    now: ctx.now,
  });
  return writeRecord((await findWrite(ctx.db, id))!);
}
