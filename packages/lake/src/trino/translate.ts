import { columnTypeOf, type IcebergField } from '@svc/iceberg';
import type { Prepared } from '../queries/prepare-query.ts';
import { QueryRejectedError } from '../queries/query-errors.ts';
import { castQuery } from '../queries/results/result-columns.ts';
import type { ChangeExpressions } from '../queries/row-changes/change-expressions.ts';
import { EngineError } from '../queries/sandbox/child-errors.ts';
import type { EngineChild } from '../queries/sandbox/child-process.ts';
import { joinedTrino, literal, sql, type TrinoSql, trino } from '../queries/sql-text.ts';
import { columnPlanType } from './column-plan-types.ts';
import { type Node, readPlan } from './plan-nodes.ts';
import { type PlanType, trinoType } from './plan-types.ts';
import { printChange } from './print-change.ts';
import { printPlan } from './print-plan.ts';
import { columnsOf, from, orderBy, type Relation } from './relations.ts';
import type { TableSource } from './scans.ts';
import { wireSql } from './staged-rows.ts';
import { identifier, textLiteral } from './trino-text.ts';
import { untranslated } from './untranslated.ts';

/** Runs before the child plans a statement. */
export async function startTranslation(child: EngineChild): Promise<void> {
  await child.engines.disableOptimizers('shape');
}

/** A statement for Trino, and the types of its columns, which it returns in the form of `wireSql`. */
export type Translated = { readonly sql: TrinoSql; readonly types: readonly PlanType[] };

type Planned = Pick<Prepared, 'sql' | 'restricted'>;

/** A query whose rows return to the service. @throws QueryRejectedError if Trino has no equivalent */
export async function translate(child: EngineChild, prepared: Prepared, source: TableSource): Promise<Translated> {
  const { columns, restricted } = prepared;
  const query = { sql: castQuery(prepared.sql, columns), restricted };
  const relation = await relationOf(child, query, source, columns.length);
  const list = columnsOf(relation, 't').map((column) => wireSql(column.type, column.sql));
  const sql = trino`SELECT ${joinedTrino(list)} FROM ${from(relation, 't')}${orderBy(relation, 't')}`;
  return { sql, types: relation.types };
}

/** The table that a statement writes to, as Trino names it. */
export interface InsertTarget {
  readonly name: readonly [catalog: string, schema: string, table: string];
  /** The columns of the query's rows, in order. */
  readonly fields: readonly IcebergField[];
}

/**
 * A statement that writes the rows of a query, which has the columns of the table with their types.
 *
 * @throws QueryRejectedError if Trino has no equivalent
 */
export async function translateInsert(
  child: EngineChild,
  query: Planned,
  source: TableSource,
  into: InsertTarget,
): Promise<TrinoSql> {
  const { fields } = into;
  const relation = await relationOf(child, query, source, fields.length);
  const names = fields.map((field) => identifier(field.name.toLowerCase()));
  const values = columnsOf(relation, 't').map(({ sql: value }, i) => {
    return trino`CAST(${value} AS ${trinoType(columnPlanType(columnTypeOf(fields[i]!.type)))})`;
  });
  return trino`INSERT INTO ${qualified(into)} (${joinedTrino(names)}) SELECT ${joinedTrino(values)} FROM ${from(relation, 't')}`;
}

/**
 * A statement that changes rows, from the plan of its expressions.
 *
 * @throws QueryRejectedError if Trino has no equivalent
 */
export async function translateChange(
  child: EngineChild,
  query: Planned,
  source: TableSource,
  { expressions, into }: { readonly expressions: Omit<ChangeExpressions, 'sql'>; readonly into: InsertTarget },
): Promise<TrinoSql> {
  const table = { name: qualified(into), fields: into.fields };
  return translated(query, async () => printChange(await planOf(child, query), source, expressions, table));
}

/** Trino's compaction of a table: it rewrites the files below a size, and those with deletes. */
export const optimizeStatement = (into: InsertTarget, smallBytes: number): TrinoSql =>
  trino`ALTER TABLE ${qualified(into)} EXECUTE optimize(file_size_threshold => ${textLiteral(`${smallBytes}B`)})`;

const qualified = ({ name }: InsertTarget): TrinoSql => joinedTrino(name.map(identifier), '.');

const relationOf = (child: EngineChild, query: Planned, source: TableSource, columns: number): Promise<Relation> =>
  translated(query, async () => {
    const relation = printPlan(await planOf(child, query), source);
    if (relation.types.length !== columns) throw untranslated('This form of statement');
    return relation;
  });

async function planOf(child: EngineChild, { sql: query }: Planned): Promise<Node> {
  const planQuery = sql`SELECT json_serialize_plan(${literal(query.text)}, optimize := true)`;
  const [row] = await child.send({ op: 'texts', sql: planQuery.text });
  return readPlan(String(row![0]));
}

async function translated<R>(query: Planned, print: () => Promise<R>): Promise<R> {
  try {
    return await print();
  } catch (error) {
    // The plan also contains the policies, whose expressions must not be shown to users to whom they apply.
    if (error instanceof QueryRejectedError && query.restricted) throw untranslated(RESTRICTED);
    // The plan has an unexpected form, or the engine itself can't serialize it.
    const isUnexpected = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
    const unwritten =
      error instanceof EngineError && /^(Serialization|Not implemented|INTERNAL) Error/i.test(error.message);
    throw isUnexpected || unwritten ? untranslated('This form of statement') : error;
  }
}

const RESTRICTED = 'A part of this statement, or of the row filters and column masks that apply to you,';
