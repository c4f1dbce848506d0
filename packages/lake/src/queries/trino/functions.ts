import type { TrinoSql } from '../sql-text.ts';
import { isAllowedFunction } from '../statement/functions.ts';
import { DATE_FUNCTIONS } from './date-functions.ts';
import type { Call, FunctionPrinter } from './function-printer.ts';
import { LIST_FUNCTIONS } from './list-functions.ts';
import { NUMBER_FUNCTIONS } from './number-functions.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { untranslatedFunction } from './untranslated.ts';

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

/** @throws QueryRejectedError */
export function printFunction(call: Call): TrinoSql {
  const { name } = call;
  // What only the binder writes, `error` of a subquery among it, is known by its place in the plan.
  const known = isAllowedFunction(name) || name === 'regexp_matches';
  const print = known && Object.hasOwn(TRANSLATED_FUNCTIONS, name) ? TRANSLATED_FUNCTIONS[name] : undefined;
  if (print === undefined) throw untranslatedFunction(name);
  const sql = print(call);
  if (sql === null) throw untranslatedFunction(name, ' with these arguments');
  return sql;
}
