import { assetKey } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import type { Transaction } from '@svc/db/connection';
import { startCreation } from '@svc/db/drops';
import { requireLease } from '@svc/db/leases';
import { markBuilt, readWatermark, tablesInside } from '@svc/db/tables';
import {
  currentSchema,
  evolveSchema,
  fieldsOfColumns,
  type IcebergField,
  readTableMetadata,
  readTableScan,
  removeFiles,
  requireNoneInside,
  type ScanFile,
  type TableMetadata,
  type TableUpdate,
  tableIds,
  writeNewTable,
} from '@svc/iceberg';
import { type Relation, runQuery } from '@svc/lake/queries';
import { COMMENT, documentedSchema, newTableLocation } from '@svc/lake/tables';
import type { Watermark } from '../../python/python-task.ts';
import { commitToTable, registerTable } from '../../tables/commit.ts';
import { firstMetadata } from '../../tables/create-with-rows.ts';
import { layoutFor } from '../../tables/layout.ts';
import { openReader } from '../../tables/reader.ts';
import { failure, failureOf } from '../../work/failures.ts';
import type { FinishTask, TaskWork } from '../run-work.ts';
import { pythonRows } from './python-rows.ts';
import type { RowSource, WrittenRows } from './row-source.ts';
import { sqlRows } from './sql-rows.ts';
import { findTarget, isFailure, type Target } from './target.ts';

/** Rows that failed a check stay on this branch until the next successful build. */
const FAILED_CHECK = 'failed_check';

/** What is known about a table before its new rows are written. */
interface Plan {
  target: Target;
  base: { metadata: TableMetadata; location: string } | null;
  location: string;
  fields: readonly IcebergField[];
  updates: readonly TableUpdate[];
  written: WrittenRows;
}

/**
 * Builds a table asset: writes the rows, checks them, and commits them to the table in the transaction that finishes
 * the task.
 */
export async function buildTable(work: TaskWork, finish: FinishTask): Promise<Failure | null> {
  const target = await findTarget(work);
  if (isFailure(target)) return target;
  const last = target.table === null ? null : await readWatermark(work.deps.db.prisma, target.table.id);
  const source =
    work.asset.source.language === 'sql'
      ? await sqlRows(work, last)
      : await pythonRows(work, typed(work, target, last));
  if (isFailure(source)) return source;
  try {
    const plan = await writeRows(work, target, source);
    if (isFailure(plan)) return plan;
    return await checkAndCommit(work, plan, finish);
  } finally {
    await source.close();
  }
}

/** A watermark with the type of its column, so that Python gets a typed value. */
function typed({ asset }: TaskWork, { table }: Target, text: string | null): Watermark | null {
  if (text === null) return null;
  return { text, type: table?.columns.find(({ name }) => name === asset.watermark)?.type ?? null };
}

async function writeRows(work: TaskWork, target: Target, source: RowSource): Promise<Plan | Failure> {
  const { deps, asset } = work;
  const pointer = target.table?.metadata_location ?? null;
  const base = pointer === null ? null : { metadata: await readTableMetadata(deps.store, pointer), location: pointer };
  if (base === null && source.columns.length === 0) return withoutColumns(asset.name);
  const location = base?.metadata.location ?? (await freshLocation(work));
  if (base === null) await startCreation(deps.db.prisma, { location, now: deps.clock() });
  const columns = source.columns.map((column) => ({
    ...column,
    nullable: true,
    description: asset.columns[column.name] ?? null,
  }));
  const schema =
    base === null
      ? { fields: fieldsOfColumns(columns).fields, updates: [] }
      : evolved(base.metadata, columns, columns.length === 0 ? 'append' : asset.mode);
  const layout = base === null ? undefined : layoutFor(base.metadata, schema.fields);
  if (layout !== undefined && isFailure(layout)) return layout;
  const written = await source.write(location, schema.fields, layout);
  if (isFailure(written)) return written;
  return { target, base, location, ...schema, written };
}

/** Without rows the columns are unknown: an existing table keeps its own. */
const withoutColumns = (name: string) =>
  failure(
    'no-columns',
    `${name} returned no rows, and there is no table yet to take the columns from.`,
    'Return at least one row the first time, or an Arrow table or DataFrame, which has columns even without rows.',
  );

async function freshLocation({ deps, environment }: TaskWork): Promise<string> {
  return newTableLocation({ root: await deps.store.rootOf(environment.id) }, environment.id, deps);
}

/** Adds descriptions to the schema, so that engines see them. */
function evolved(
  metadata: TableMetadata,
  columns: readonly { name: string; type: string; nullable: boolean; description: string | null }[],
  mode: 'append' | 'replace',
) {
  if (mode === 'replace') return evolveSchema(metadata, columns);
  const described = columns.filter(({ description }) => description !== null);
  return { fields: currentSchema(metadata).fields, updates: documentedSchema(metadata, described) };
}

/** The update that shows the table's description to engines. */
function commented({ properties }: TableMetadata, description: string | null): TableUpdate[] {
  if (description === null || properties[COMMENT] === description) return [];
  return [{ action: 'set-properties', updates: { [COMMENT]: description } }];
}

async function checkAndCommit(work: TaskWork, plan: Plan, finish: FinishTask): Promise<Failure | null> {
  const { deps, asset } = work;
  const failed = await runChecks(work, plan);
  if (failed !== null) {
    if (failed.code === 'check-failed') await keepAside(work, plan);
    else
      await removeFiles(
        deps.store,
        plan.written.files.map((file) => file.file_path),
      );
    return failed;
  }
  const watermark = asset.watermark === null || plan.written.rows === 0 ? undefined : await newWatermark(work, plan);
  if (watermark !== undefined && typeof watermark !== 'string') return watermark;
  return commit(work, plan, watermark, finish);
}

/** The new contents as a relation with the asset's name. */
async function newContents({ deps, asset }: TaskWork, plan: Plan, onlyNew = false): Promise<Relation> {
  const files: ScanFile[] = plan.written.files.map((f) => ({
    location: f.file_path,
    rows: Number(f.record_count),
    bytes: Number(f.file_size_in_bytes),
    deletes: [],
    sameColumns: true,
  }));
  if (asset.mode !== 'append' || plan.base === null || onlyNew) return { kind: 'managed', fields: plan.fields, files };
  const { files: kept, nameMapping = null, former = [] } = await readTableScan(deps.store, plan.base.location);
  requireNoneInside(kept, await tablesInside(deps.db.prisma, plan.base.metadata.location));
  return { kind: 'managed', fields: plan.fields, files: [...kept, ...files], nameMapping, former };
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

async function runChecks(work: TaskWork, plan: Plan): Promise<Failure | null> {
  const { asset, log } = work;
  if (asset.checks.length === 0) return null;
  const relation = await newContents(work, plan);
  const broken: string[] = [];
  for (const check of asset.checks) {
    const outcome = await overNewContents(work, check.sql, relation);
    if (!outcome.ok)
      return { ...failureOf(outcome.error), detail: `The check ${check.name} can't run: ${outcome.error.message}` };
    const verdict = outcome.rowCount === 0 ? 'passed' : `failed: it returned ${counted(outcome.rowCount)}`;
    log.line(asset.name, 'service', `check ${check.name} ${verdict}`);
    if (outcome.rowCount > 0) broken.push(`${check.name} (${counted(outcome.rowCount)})`);
  }
  if (broken.length === 0) return null;
  return failure(
    'check-failed',
    `The new rows failed: ${broken.join(', ')}. The table is unchanged; the rejected rows are on the branch ${FAILED_CHECK}.`,
    'Correct the data or the check and run it again.',
  );
}

const counted = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`);

async function newWatermark(work: TaskWork, plan: Plan): Promise<string | Failure | undefined> {
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
  const reached = outcome.rows?.[0]?.[0];
  return typeof reached === 'string' ? reached : undefined;
}

async function commit(
  work: TaskWork,
  plan: Plan,
  watermark: string | undefined,
  finish: FinishTask,
): Promise<Failure | null> {
  const { deps, asset, environment, origin } = work;
  const { target, base, written } = plan;
  const { files, rows } = written;
  if (base === null || target.table === null) return create(work, plan, watermark, finish);
  return commitToTable(deps, {
    table: target.table,
    environment: environment.name,
    files,
    rows,
    mode: asset.mode,
    schemaId: base.metadata['current-schema-id'],
    schemaUpdates: [...plan.updates, ...commented(base.metadata, asset.description)],
    dropBranch: FAILED_CHECK,
    columnDescriptions: asset.columns,
    watermark,
    origin,
    finish: async (tx) => {
      await markBuilt(tx, {
        id: target.table!.id,
        repositoryId: work.run.repository_id,
        description: asset.description,
      });
      await finish(tx, rows);
    },
  });
}

async function create(
  work: TaskWork,
  plan: Plan,
  watermark: string | undefined,
  finish: FinishTask,
): Promise<Failure | null> {
  const made = await register(work, plan, undefined, async (tx) => finish(tx, plan.written.rows), watermark);
  return made
    ? null
    : failure('already-exists', `${work.asset.name} was created by someone else in the meantime.`, 'Run it again.');
}

async function register(
  work: TaskWork,
  plan: Plan,
  branch: string | undefined,
  finish: Parameters<typeof registerTable>[1]['finish'],
  watermark?: string,
): Promise<boolean> {
  const { deps, asset, environment, origin, run } = work;
  const { files, rows } = plan.written;
  const first = await firstMetadata(deps, plan.location, plan.fields, files, branch);
  const comment = asset.description === null ? {} : { [COMMENT]: asset.description };
  const metadata = { ...first, properties: { ...first.properties, ...comment } };
  const { metadataLocation } = await writeNewTable(deps.store, metadata, tableIds(deps));
  return registerTable(deps, {
    id: metadata['table-uuid'],
    environment,
    namespace: plan.target.namespace,
    name: asset.table,
    description: asset.description,
    metadata,
    metadataLocation,
    files,
    rows: branch === undefined ? rows : 0,
    mode: 'create',
    watermark,
    columnDescriptions: asset.columns,
    builtByRepository: run.repository_id,
    origin,
    finish,
  });
}

/** Stores rejected rows on the branch. If there is no table yet, creates it empty. */
async function keepAside(work: TaskWork, plan: Plan): Promise<void> {
  const { deps, asset, environment, origin } = work;
  const { target, base, written } = plan;
  // A worker that lost its lease must not leave a branch behind either.
  const held = (tx: Transaction) => requireLease(tx, { kind: 'runs', claim: work.claim });
  if (base === null || target.table === null) {
    await register(work, plan, FAILED_CHECK, held);
    return;
  }
  await commitToTable(deps, {
    table: target.table,
    environment: environment.name,
    files: written.files,
    rows: written.rows,
    mode: asset.mode,
    schemaId: base.metadata['current-schema-id'],
    schemaUpdates: plan.updates,
    branch: FAILED_CHECK,
    origin,
    finish: held,
  });
}
