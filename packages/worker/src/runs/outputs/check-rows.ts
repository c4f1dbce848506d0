import { assetKey } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { tablesInside } from '@svc/db/tables';
import { readTableScan, removeFiles, requireNoneInside, type ScanFile } from '@svc/iceberg';
import { type Relation, runQuery } from '@svc/lake/queries';
import { openReader } from '../../tables/reader.ts';
import { failure, failureOf } from '../../work/failures.ts';
import type { TaskWork } from '../run-work.ts';
import { FAILED_CHECK } from './commit-table.ts';
import type { TablePlan } from './plan-table.ts';

/** The new contents as a relation with the asset's name. */
async function newContents({ deps, asset }: TaskWork, plan: TablePlan, onlyNew = false): Promise<Relation> {
  const files: ScanFile[] = plan.written.files.map((f) => ({
    location: f.file_path,
    rows: Number(f.record_count),
    bytes: Number(f.file_size_in_bytes),
    deletes: [],
    sameColumns: true,
  }));
  if (asset.mode !== 'append' || plan.base === null || onlyNew) return { kind: 'managed', fields: plan.fields, files };
  const {
    files: previousFiles,
    nameMapping = null,
    formerSchemas = [],
  } = await readTableScan(deps.store, plan.base.location);
  requireNoneInside(previousFiles, await tablesInside(deps.db.prisma, plan.base.metadata.location));
  return { kind: 'managed', fields: plan.fields, files: [...previousFiles, ...files], nameMapping, formerSchemas };
}

/** Runs a statement of the project on the new contents. */
async function overNewContents(work: TaskWork, sql: string, relation: Relation) {
  const { deps, asset, principal, environment, request, signal } = work;
  const requester = { principalId: principal.id, environment, request, presentOnly: true };
  const reader = openReader(deps, requester, (name) => (name === assetKey(asset.name) ? relation : undefined));
  const location = `${deps.store.root}/results/${deps.newId()}.parquet`;
  const outcome = await runQuery(deps.sandbox, {
    sql,
    resolve: reader.resolve,
    owner: reader.owner,
    output: { kind: 'result', location },
    signal,
  });
  if (outcome.ok) await removeFiles(deps.store, [location]);
  return outcome;
}

/** Runs the checks of the asset on the new contents; null if they pass. */
export async function runChecks(work: TaskWork, plan: TablePlan): Promise<Failure | null> {
  const { asset, log } = work;
  if (asset.checks.length === 0) return null;
  const relation = await newContents(work, plan);
  const broken: string[] = [];
  for (const check of asset.checks) {
    const outcome = await overNewContents(work, check.sql, relation);
    if (!outcome.ok)
      return { ...failureOf(outcome.error), detail: `The check ${check.name} can't run: ${outcome.error.message}` };
    const isWarning = check.severity === 'warn';
    const failed = `${isWarning ? 'warns' : 'failed'}: it returned ${counted(outcome.rowCount)}`;
    log.line(asset.name, 'service', `check ${check.name} ${outcome.rowCount === 0 ? 'passed' : failed}`);
    if (outcome.rowCount > 0 && !isWarning) broken.push(`${check.name} (${counted(outcome.rowCount)})`);
  }
  if (broken.length === 0) return null;
  return failure(
    'check-failed',
    `The new rows failed: ${broken.join(', ')}. The table is unchanged; the rejected rows are on the branch ${FAILED_CHECK}.`,
    'Correct the data or the check and run it again.',
  );
}

const counted = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`);

/** The highest value of the watermark column in the new rows. */
export async function newWatermark(work: TaskWork, plan: TablePlan): Promise<string | Failure | undefined> {
  const { asset } = work;
  const column = `"${asset.watermark!.replaceAll('"', '""')}"`;
  const name = asset.name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
  const outcome = await overNewContents(
    work,
    `SELECT max(${column})::varchar AS reached FROM ${name}`,
    await newContents(work, plan, true),
  );
  if (!outcome.ok) return failureOf(outcome.error);
  const violations = outcome.rows?.[0]?.[0];
  return typeof violations === 'string' ? violations : undefined;
}
