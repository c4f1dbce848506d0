import { assetKey } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { tablesInside } from '@svc/db/tables';
import { readTableScan, removeFiles, requireNoneInside, versionColumns } from '@svc/iceberg';
import type { Relation } from '@svc/lake/queries';
import { openReader } from '../../tables/reader.ts';
import { catalogTable } from '../../tables/relations.ts';
import { asScanned, writtenRows } from '../../tables/written-change.ts';
import { failure, failureOf } from '../../work/failures.ts';
import type { TaskWork } from '../run-work.ts';
import { FAILED_CHECK } from './commit-table.ts';
import type { TablePlan } from './plan-table.ts';
import { taskReader } from './task-reader.ts';

/** The new contents as a relation with the asset's name. */
export async function newContents({ deps, environment }: TaskWork, plan: TablePlan): Promise<Relation> {
  const { target, base, fields, written } = plan;
  if (plan.mode !== 'append' || base === null) return contentsOf(plan);
  if (written.staged != null) {
    const before = catalogTable(environment.name, target.table!, versionColumns(base.metadata, {}));
    return { kind: 'managed', fields, files: [], catalogTables: [before, written.staged] };
  }
  const {
    files: previousFiles,
    nameMapping = null,
    formerSchemas = [],
  } = await readTableScan(deps.store, base.location);
  requireNoneInside(previousFiles, await tablesInside(deps.db.prisma, base.metadata.location));
  const files = [...previousFiles, ...written.files.map(asScanned)];
  return { kind: 'managed', fields, files, nameMapping, formerSchemas };
}

/** The new rows alone, as whatever reads them next finds them. */
const contentsOf = ({ fields, written }: TablePlan): Relation =>
  written.staged == null
    ? writtenRows(fields, written.files)
    : { kind: 'managed', fields, files: [], catalogTables: [written.staged] };

/** Runs a statement of the project on the new contents. */
async function overNewContents(work: TaskWork, sql: string, relation: Relation) {
  const { deps, asset, environment, engine, signal, task } = work;
  const reader = openReader(deps, taskReader(work), (name) => (name === assetKey(asset.name) ? relation : undefined));
  const location = `${deps.store.root}/results/${deps.newId()}.parquet`;
  const outcome = await engine.run({
    sql,
    resolve: reader.resolve,
    owner: reader.owner,
    environment,
    traceToken: task.id,
    output: { kind: 'result', location },
    signal,
  });
  if (outcome.ok) await removeFiles(deps.store, [location]);
  return outcome;
}

/** Runs the checks of the asset on the contents that the build leads to; null if they pass. */
export async function runChecks(work: TaskWork, contents: Relation): Promise<Failure | null> {
  const { asset, log, checks } = work;
  const broken: string[] = [];
  // A merge that lost a race checks again.
  checks.length = 0;
  for (const check of asset.checks) {
    const outcome = await overNewContents(work, check.sql, contents);
    if (!outcome.ok)
      return { ...failureOf(outcome.error), detail: `The check ${check.name} can't run: ${outcome.error.message}` };
    const isWarning = check.severity === 'warn';
    checks.push({
      name: check.name,
      status: outcome.rowCount === 0 ? 'passed' : isWarning ? 'warned' : 'failed',
      rows: outcome.rowCount,
    });
    const failed = `${isWarning ? 'warns' : 'failed'}: it returned ${counted(outcome.rowCount)}`;
    log.line(asset.name, 'service', `check ${check.name} ${outcome.rowCount === 0 ? 'passed' : failed}`);
    if (outcome.rowCount > 0 && !isWarning) broken.push(`${check.name} (${counted(outcome.rowCount)})`);
  }
  if (broken.length === 0) return null;
  const unchanged =
    asset.kind === 'view'
      ? 'The view is unchanged.'
      : `The table is unchanged; the rejected rows are on the branch ${FAILED_CHECK}.`;
  return failure(
    'check-failed',
    `The new rows failed: ${broken.join(', ')}. ${unchanged}`,
    'Correct the data or the check and run it again.',
  );
}

const counted = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`);

/**
 * The highest value of the watermark column in the new rows. Without any, the watermark stays as it is (undefined), or is removed
 * (null) if the rows replace all others.
 */
export async function newWatermark(work: TaskWork, plan: TablePlan): Promise<string | Failure | null | undefined> {
  const { asset } = work;
  const unreached = plan.mode === 'replace' ? null : undefined;
  if (asset.watermark === null || plan.written.rows === 0) return unreached;
  const column = `"${asset.watermark!.replaceAll('"', '""')}"`;
  const name = asset.name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
  const outcome = await overNewContents(
    work,
    `SELECT max(${column})::varchar AS reached FROM ${name}`,
    contentsOf(plan),
  );
  if (!outcome.ok) return failureOf(outcome.error);
  const highest = outcome.rows?.[0]?.[0];
  return typeof highest === 'string' ? highest : unreached;
}
