import type { Table } from '@svc/core/tables';
import { type StoredTable, tableRecord } from '@svc/db/tables';
import type { Context } from '../http/context.ts';

/** The table as an answer shows it. */
export const tableAnswer = (ctx: Pick<Context, 'now' | 'deps'>, row: StoredTable): Table =>
  tableRecord(row, { now: ctx.now, warningDays: ctx.deps.settings.expiryWarningDays });
