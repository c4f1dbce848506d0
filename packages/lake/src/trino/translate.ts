import type { Prepared } from '../queries/prepare-query.ts';
import { QueryRejectedError } from '../queries/query-errors.ts';
import { castQuery } from '../queries/results/result-columns.ts';
import { type EngineChild, EngineError } from '../queries/sandbox/child-process.ts';
import { joinedTrino, literal, sql, type TrinoSql, trino } from '../queries/sql-text.ts';
import { readPlan } from './plan-nodes.ts';
import type { PlanType } from './plan-types.ts';
import { printPlan } from './print-plan.ts';
import { columnsOf, from, orderBy } from './relations.ts';
import type { TableSource } from './scans.ts';
import { wireSql } from './staged-rows.ts';
import { untranslated } from './untranslated.ts';

/** Runs before the child plans a statement. */
export async function startTranslation(child: EngineChild): Promise<void> {
  await child.engines.disableOptimizers('shape');
}

/** A statement for Trino, and the types of its columns, which it returns in the form of `wireSql`. */
export type Translated = { readonly sql: TrinoSql; readonly types: readonly PlanType[] };

/** @throws QueryRejectedError if Trino has no equivalent */
export async function translate(child: EngineChild, prepared: Prepared, source: TableSource): Promise<Translated> {
  try {
    return await planOf(child, prepared, source);
  } catch (error) {
    // The plan also contains the policies, whose expressions must not be shown to users to whom they apply.
    if (error instanceof QueryRejectedError && prepared.restricted) throw untranslated(RESTRICTED);
    // The plan has an unexpected form, or the engine itself can't serialize it.
    const isUnexpected = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
    const unwritten =
      error instanceof EngineError && /^(Serialization|Not implemented|INTERNAL) Error/i.test(error.message);
    throw isUnexpected || unwritten ? untranslated('This form of statement') : error;
  }
}

const RESTRICTED = 'A part of this statement, or of the row filters and column masks that apply to you,';

async function planOf(child: EngineChild, { sql: query, columns }: Prepared, source: TableSource): Promise<Translated> {
  const text = literal(castQuery(query, columns).text);
  const planQuery = sql`SELECT json_serialize_plan(${text}, optimize := true)`;
  const [row] = await child.send({ op: 'texts', sql: planQuery.text });
  const relation = printPlan(readPlan(String(row![0])), source);
  if (relation.types.length !== columns.length) throw untranslated('This form of statement');
  const list = columnsOf(relation, 't').map((column) => wireSql(column.type, column.sql));
  const written = trino`SELECT ${joinedTrino(list)} FROM ${from(relation, 't')}${orderBy(relation, 't')}`;
  return { sql: written, types: relation.types };
}
