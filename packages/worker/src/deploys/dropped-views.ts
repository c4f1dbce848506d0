import { decide, scopeOf } from '@svc/core/access';
import { type Asset, assetKey, buildGraph, deployEndpoints } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import type { Transaction } from '@svc/db/connection';
import { findNamespace } from '@svc/db/namespaces';
import { createTable, findTable, wereViews } from '@svc/db/tables';
import { describeQuery, type Relation } from '@svc/lake/queries';
import { openReader, type Reader } from '../tables/reader.ts';
import { viewColumns, viewRow } from '../tables/view-row.ts';
import { auditDenial, auditWork, type Origin, routeText } from '../work/events.ts';
import { failure, failureOf } from '../work/failures.ts';
import type { DeployWork, ReturningView } from './deploy-work.ts';

/**
 * Finds the project's views that were dropped since their last build, in build order, with their columns: a deploy
 * creates them again. This uses the rights of the deploying principal. A view that can't be created causes a warning,
 * and the next run builds it.
 */
export async function findDroppedViews(
  work: DeployWork,
  assets: readonly Asset[],
): Promise<{ views: ReturningView[]; warnings: string[] }> {
  const { row } = work;
  const views: ReturningView[] = [];
  const warnings: string[] = [];
  for (const asset of await missingViews(work, assets)) {
    const view = await describe(work, asset, views);
    if (!('code' in view)) views.push(view);
    else {
      const verb = row.dry_run ? 'would not be restored' : 'is not restored';
      warnings.push(`view ${asset.name} was dropped and ${verb} until the next run that builds it: ${view.detail}`);
    }
  }
  return { views, warnings };
}

async function missingViews({ deps, row }: DeployWork, assets: readonly Asset[]): Promise<Asset[]> {
  const client = deps.db.prisma;
  const environmentId = row.environment_id;
  const { order, assets: byKey } = buildGraph(assets).graph!;
  const views = order.filter((key) => byKey.get(key)!.kind === 'view');
  const were = await wereViews(client, { environmentId, names: views });
  const missing: Asset[] = [];
  for (const key of views.filter((name) => were.has(name))) {
    const asset = byKey.get(key)!;
    const there = await findTable(client, { environmentId, namespace: asset.namespace, name: asset.table });
    if (there === null) missing.push(asset);
  }
  return missing;
}

async function describe(
  { deps, claim, row }: DeployWork,
  asset: Asset,
  before: readonly ReturningView[],
): Promise<ReturningView | Failure> {
  if (asset.source.language !== 'sql') throw new Error(`${asset.name} isn't a SQL asset`);
  const environment = { id: row.environment_id, name: row.environment };
  const request = { id: row.request_id, route: routeText(deployEndpoints.create) };
  const reader: Reader = {
    principalId: row.created_by,
    tokenActions: row.token_actions,
    environment,
    request,
    currentOnly: true,
  };
  const opened = openReader(deps, reader, (name) => returning(before, name));
  const object = scopeOf({ environment: environment.name, namespace: asset.namespace });
  const { allowed, reason } = decide(await opened.grants(), 'CREATE_TABLE', object);
  if (!allowed) {
    await auditDenial(deps, reader, { action: 'CREATE_TABLE', object, reason });
    return failure('not-allowed', `${row.creator} doesn't have CREATE_TABLE in ${asset.namespace}.`);
  }
  const { sql } = asset.source;
  const described = await describeQuery(deps.sandbox, { ...opened, sql, signal: claim.signal });
  if (!described.ok) return failureOf(described.error, { name: row.creator ?? '', refused: opened.refused });
  return { asset, sql, columns: viewColumns(asset, described.columns) };
}

/** A view that returns in the same deploy can already be read by others. */
function returning(views: readonly ReturningView[], name: string): Relation | undefined {
  const view = views.find(({ asset }) => assetKey(asset.name) === assetKey(name));
  return view === undefined ? undefined : { kind: 'view', sql: view.sql };
}

/** Creates the views in the transaction that activates the version. Skips names that were taken in the meantime. */
export async function createDroppedViews(
  tx: Transaction,
  { deps, row }: DeployWork,
  { views, origin }: { views: readonly ReturningView[]; origin: Origin },
): Promise<void> {
  for (const { asset, sql, columns } of views) {
    const namespace = await findNamespace(tx, { environmentId: row.environment_id, path: asset.namespace });
    if (namespace === null) continue;
    const id = deps.newId();
    const view = viewRow(asset, {
      id,
      environmentId: row.environment_id,
      namespaceId: namespace.id,
      repositoryId: row.repository_id,
      columns,
      viewSql: sql,
      createdBy: row.created_by,
      now: deps.clock(),
    });
    if (!(await createTable(tx, view))) continue;
    await auditWork(deps, tx, origin, {
      type: 'VIEW_CREATED',
      object: scopeOf({ environment: row.environment, namespace: namespace.path, table: asset.table }),
      detail: { table_id: id, name: asset.table, columns: columns.length, deploy_id: row.id },
    });
  }
}
