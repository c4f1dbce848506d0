import { isAllowedFunction } from '../statement/functions.ts';
import type { Printed } from './constants.ts';
import { DATE_FUNCTIONS } from './date-functions.ts';
import { LIST_FUNCTIONS } from './list-functions.ts';
import { NUMBER_FUNCTIONS } from './number-functions.ts';
import type { PlanType } from './plan-types.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { untranslatedFunction } from './untranslated.ts';

/** A call as DuckDB has bound it: arguments are cast to what the function takes. */
export type Call = { readonly name: string; readonly args: readonly Printed[]; readonly type: PlanType };

/** Writes a call for Trino; null where it would not mean the same with these arguments. */
export type FunctionPrinter = (call: Call) => string | null;

/**
 * The functions that have a counterpart in Trino. Each is held against the other engine in `npm run test:engines queries`;
 * those that are not listed are refused.
 */
export const TRANSLATED_FUNCTIONS: Readonly<Record<string, FunctionPrinter>> = {
  ...NUMBER_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...LIST_FUNCTIONS,
};

/** @throws QueryRefused */
export function printFunction(call: Call): string {
  const { name } = call;
  // What only the binder writes, `error` of a subquery among it, is known by its place in the plan.
  const known = isAllowedFunction(name) || name === 'regexp_matches';
  const print = known && Object.hasOwn(TRANSLATED_FUNCTIONS, name) ? TRANSLATED_FUNCTIONS[name] : undefined;
  if (print === undefined) throw untranslatedFunction(name);
  const sql = print(call);
  if (sql === null) throw untranslatedFunction(name, ' with these arguments');
  return sql;
}
