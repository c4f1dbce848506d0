import { type PlannedView, type QueryPlan, unreadableFiles, viewFailure, viewOutdated } from './plan-query.ts';
import type { TypedColumn } from './relations/policy-sql.ts';
import { icebergTypeOf } from './results/result-columns.ts';
import { type EngineChild, EngineFailure } from './sandbox/child-process.ts';
import { identifier, Sql, sql } from './sql-text.ts';

type Views = Pick<QueryPlan, 'schemas' | 'views'>;

/** Whether a view waits for the columns of those before it; otherwise all are requested without waiting for an answer. */
export const needsColumns = ({ views }: Views): boolean => views.some((view) => !Sql.is(view.sql));

/**
 * Creates the views of a plan in a child that is confined.
 *
 * @throws QueryRefused, UnsupportedTableError
 */
export async function createViews(child: EngineChild, { schemas, views }: Views): Promise<void> {
  const laidOut = layOutDeletes(child, views);
  let batch = schemas.map((schema): Statement => [sql`CREATE SCHEMA IF NOT EXISTS lake.${identifier(schema)}`, null]);
  for (const view of views) {
    batch.push(...view.setup.map((statement): Statement => [statement, view]));
    if (Sql.is(view.sql)) {
      batch.push([view.sql, view]);
      continue;
    }
    await Promise.all([laidOut, run(child, batch)]);
    const columns = await columnsOf(child, view, view.sql.describe);
    batch = [[view.sql.sql(columns), view]];
  }
  await Promise.all([laidOut, run(child, batch)]);
}

type Statement = readonly [statement: Sql, view: PlannedView | null];

async function layOutDeletes(child: EngineChild, views: readonly PlannedView[]): Promise<void> {
  const some = views.filter(({ vectors }) => vectors.length > 0);
  const requests = some.map(({ vectors, name }) =>
    child.ask({ op: 'positions', vectors }).catch(orElse(() => unreadableFiles(name))),
  );
  await Promise.all(requests);
}

async function run(child: EngineChild, batch: readonly Statement[]): Promise<void> {
  const statements = batch.map(([{ text }]) => text);
  await child.ask({ op: 'run', statements }).catch((error: unknown) => {
    const view = error instanceof EngineFailure ? batch[error.statement ?? -1]?.[1] : null;
    throw view ? viewFailure(view) : error;
  });
}

async function columnsOf(child: EngineChild, { name }: PlannedView, rows: Sql): Promise<TypedColumn[]> {
  const columns = await child.ask({ op: 'describe', sql: rows.text }).catch(orElse(() => viewOutdated(name)));
  return columns.map((column) => ({ name: column.name, type: icebergTypeOf(column.type) }));
}

const orElse =
  (known: () => Error) =>
  (error: unknown): never => {
    throw error instanceof EngineFailure ? known() : error;
  };
