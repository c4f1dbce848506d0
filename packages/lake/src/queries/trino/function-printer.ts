import type { TrinoSql } from '../sql-text.ts';
import type { Printed } from './constants.ts';
import type { PlanType } from './plan-types.ts';

/** A call as DuckDB has bound it: arguments are cast to what the function takes. */
export type Call = { readonly name: string; readonly args: readonly Printed[]; readonly type: PlanType };

/** Writes a call for Trino; null where it would not mean the same with these arguments. */
export type FunctionPrinter = (call: Call) => TrinoSql | null;
