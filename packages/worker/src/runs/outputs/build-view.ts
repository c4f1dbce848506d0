import { scopeOf } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import type { Column } from '@svc/core/tables';
import { inTransaction } from '@svc/db/connection';
import { createTable, replaceObject } from '@svc/db/tables';
import { describeQuery } from '@svc/lake/queries';
import { openReader } from '../../tables/reader.ts';
import { viewColumns, viewRow } from '../../tables/view-row.ts';
import { auditWork } from '../../work/events.ts';
import { failure, failureOf } from '../../work/failures.ts';
import type { FinishTask, TaskWork } from '../run-work.ts';
import { runChecks } from './check-rows.ts';
import { readInputs } from './read-inputs.ts';
import { droppedConcurrently, findTarget, isFailure } from './target.ts';
import { taskReader } from './task-reader.ts';

/** Sets the view's statement to the asset's, whose names must resolve. Only its checks read data. */
export async function buildView(work: TaskWork, finish: FinishTask): Promise<Failure | null> {
  const { deps, asset, principal, signal } = work;
  const target = await findTarget(work);
  if (isFailure(target)) return target;
  if (asset.source.language !== 'sql') throw new Error(`${asset.name} isn't a SQL asset`);
  const reader = openReader(deps, taskReader(work));
  const described = await describeQuery(deps.sandbox, { ...reader, sql: asset.source.sql, signal });
  if (!described.ok) return failureOf(described.error, { name: principal.name, refused: reader.refused });
  work.inputs.read = await readInputs(work, reader, { sql: asset.source.sql, columns: described.columns });
  const failed = await runChecks(work, { kind: 'view', sql: asset.source.sql });
  if (failed !== null) return failed;
  const columns = viewColumns(asset, described.columns);
  const made = await store(work, target, columns, asset.source.sql, finish);
  return made
    ? null
    : failure('already-exists', `${asset.name} was created by someone else in the meantime.`, 'Run it again.');
}

async function store(
  { deps, asset, environment, origin, principal, run }: TaskWork,
  { table, namespace }: { table: { id: string } | null; namespace: { id: string; path: string } },
  columns: Column[],
  viewSql: string,
  finish: FinishTask,
): Promise<boolean> {
  const now = deps.clock();
  const id = table?.id ?? deps.newId();
  const object = scopeOf({ environment: environment.name, namespace: namespace.path, table: asset.table });
  return inTransaction(deps.db, async (tx) => {
    if (table !== null) {
      const change = { id, now, columns, description: asset.description, viewSql };
      if (!(await replaceObject(tx, change))) throw droppedConcurrently(asset.name);
    } else {
      const row = viewRow(asset, {
        id,
        environmentId: environment.id,
        namespaceId: namespace.id,
        repositoryId: run.repository_id,
        columns,
        viewSql,
        createdBy: principal.id,
        now,
      });
      if (!(await createTable(tx, row))) return false;
    }
    await auditWork(deps, tx, origin, {
      type: table === null ? 'VIEW_CREATED' : 'VIEW_UPDATED',
      object,
      detail: { table_id: id, name: asset.table, columns: columns.length },
    });
    await finish(tx, null, id);
    return true;
  });
}
