import type { TrinoSql } from '../queries/sql-text.ts';
import type { Printed } from './constants.ts';
import type { PlanType } from './plan-types.ts';

/** A call bound by DuckDB: its arguments are cast to the function's parameter types. */
export type Call = { readonly name: string; readonly args: readonly Printed[]; readonly type: PlanType };

/** Prints a call for Trino; null if it would have a different meaning with these arguments. */
export type FunctionPrinter = (call: Call) => TrinoSql | null;
