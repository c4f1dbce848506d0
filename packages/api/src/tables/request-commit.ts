import type { Column } from '@svc/core/tables';
import { swapTablePointer } from '@svc/db/tables';
import { type TableMetadata, type TableState, tableIds } from '@svc/iceberg';
import { pointerSwap } from '@svc/lake/tables';
import type { Context } from '../http/context.ts';

/**
 * The options of a commit that moves the table's pointer in the transaction of the request.
 * @param columnsAfter the columns of the table's row; leave it out if the commit doesn't change the schema
 */
export const requestCommit = (
  ctx: Context,
  id: string,
  current: TableState,
  columnsAfter?: (next: TableMetadata) => readonly Column[],
) => ({
  store: ctx.deps.store,
  current,
  now: ctx.now.getTime(),
  ids: tableIds(ctx.deps),
  swap: (next: TableState) =>
    swapTablePointer(ctx.db, {
      ...pointerSwap(id, current, next),
      columns: columnsAfter?.(next.metadata),
      now: ctx.now,
    }),
});
