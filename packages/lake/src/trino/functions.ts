import type { TrinoSql } from '../queries/sql-text.ts';
import { isAllowedFunction } from '../queries/statement/functions.ts';
import { DATE_FUNCTIONS } from './date-functions.ts';
import type { Call, FunctionPrinter } from './function-printer.ts';
import { LIST_FUNCTIONS } from './list-functions.ts';
import { NUMBER_FUNCTIONS } from './number-functions.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { untranslatedFunction } from './untranslated.ts';

/**
 * Functions with an equivalent in Trino; all others are rejected. `npm run test:engines queries` compares the results of
 * both engines for each of them.
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
  // Calls that only the binder adds, such as `error` in a subquery, are recognized by their position in the plan.
  const known = isAllowedFunction(name) || name === 'regexp_matches';
  const print = known && Object.hasOwn(TRANSLATED_FUNCTIONS, name) ? TRANSLATED_FUNCTIONS[name] : undefined;
  if (print === undefined) throw untranslatedFunction(name);
  const sql = print(call);
  if (sql === null) throw untranslatedFunction(name, ' with these arguments');
  return sql;
}
