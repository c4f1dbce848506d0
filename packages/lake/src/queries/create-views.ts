import { UnsupportedTableError } from '@svc/iceberg';
import type { PlannedView, QueryPlan } from './plan-query.ts';
import { isBound, policyInvalid } from './policies.ts';
import { QueryRejectedError } from './query-errors.ts';
import type { TypedColumn } from './relations/policy-sql.ts';
import { icebergTypeOf } from './results/result-columns.ts';
import { EngineError } from './sandbox/child-errors.ts';
import type { EngineChild } from './sandbox/child-process.ts';
import { identifier, Sql, sql } from './sql-text.ts';
import type { TableName } from './statement/guard.ts';

type Views = Pick<QueryPlan, 'schemas' | 'views'>;

/**
 * Whether a view needs the columns of earlier views; otherwise all views are requested without waiting for responses.
 */
export const needsColumns = ({ views }: Views): boolean => views.some((view) => !Sql.is(view.sql));

/**
 * Creates the views of a plan in a confined child.
 *
 * @throws QueryRejectedError, UnsupportedTableError
 */
export async function createViews(child: EngineChild, { schemas, views }: Views): Promise<void> {
  const layouts = layOutDeletes(child, views);
  let batch = schemas.map((schema): Statement => [sql`CREATE SCHEMA IF NOT EXISTS lake.${identifier(schema)}`, null]);
  for (const view of views) {
    batch.push(...view.setup.map((statement): Statement => [statement, view]));
    if (Sql.is(view.sql)) {
      batch.push([view.sql, view]);
      continue;
    }
    await Promise.all([layouts, run(child, batch)]);
    const columns = await columnsOf(child, view, view.sql.describe);
    batch = [[view.sql.sql(columns), view]];
  }
  await Promise.all([layouts, run(child, batch)]);
}

type Statement = readonly [statement: Sql, view: PlannedView | null];

async function layOutDeletes(child: EngineChild, views: readonly PlannedView[]): Promise<void> {
  const withVectors = views.filter(({ vectors }) => vectors.length > 0);
  const requests = withVectors.map(async ({ vectors, name }) => {
    const problem = await child.send({ op: 'positions', vectors }).catch(orElse(() => unreadableFiles(name)));
    if (problem !== null) throw invalidVector(name, problem);
  });
  await Promise.all(requests);
}

async function run(child: EngineChild, batch: readonly Statement[]): Promise<void> {
  const statements = batch.map(([{ text }]) => text);
  await child.send({ op: 'run', statements }).catch((error: unknown) => {
    const view = error instanceof EngineError ? batch[error.statement ?? -1]?.[1] : null;
    throw view ? viewFailure(view) : error;
  });
}

async function columnsOf(child: EngineChild, { name }: PlannedView, rows: Sql): Promise<TypedColumn[]> {
  const columns = await child.send({ op: 'describe', sql: rows.text }).catch(orElse(() => viewOutdated(name)));
  return columns.map((column) => ({ name: column.name, type: icebergTypeOf(column.type) }));
}

const orElse =
  (expected: () => Error) =>
  (error: unknown): never => {
    throw error instanceof EngineError ? expected() : error;
  };

/** Why a view could not be created: the cause is a policy, the view behind it, or the files. */
function viewFailure({ relation, name }: PlannedView): Error {
  if (isBound(relation)) return policyInvalid(name);
  return relation.kind === 'view' ? viewOutdated(name) : unreadableFiles(name);
}

const viewOutdated = (name: TableName): QueryRejectedError =>
  new QueryRejectedError(
    'view-invalid',
    `The view ${name.join('.')} no longer matches the tables it reads. Deploy it again.`,
  );

const unreadableFiles = (name: TableName): UnsupportedTableError =>
  new UnsupportedTableError(`The files of ${name.join('.')} cannot be read.`);

const invalidVector = (name: TableName, problem: string): UnsupportedTableError =>
  new UnsupportedTableError(
    `A deletion vector of ${name.join('.')} is not valid: ${problem}. Roll the table back to a snapshot from before it was added.`,
  );
