import { splitAssetName } from '@svc/core/deploys';
import { lineageEndpoints as endpoints } from '@svc/core/lineage';
import { deployedAssets, findTablesByName } from '@svc/db/lineage';
import type { VisibleTables } from '@svc/db/tables';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';
import { searchScope } from '../search/scope.ts';
import { DeclaredInputs } from './declared.ts';
import { LineageEdges } from './edges.ts';
import { type LineageNode, LineageWalk } from './walk.ts';

const get = route(
  endpoints.get,
  async (ctx) => {
    const { table, direction, depth } = ctx.query;
    const { db } = ctx;
    const grants = await ctx.listGrants();
    const objectOf = (name: string) => ctx.scope(splitAssetName(name)!);
    const canRead = (name: string) => ctx.decide('READ_TABLE', objectOf(name), grants).allowed;
    ctx.require('READ_TABLE', objectOf(table), grants);
    // Reports an environment that doesn't exist.
    const { tables, projects } = await searchScope(ctx);
    const environmentId = ctx.environment.id;
    const declared = new DeclaredInputs(projects ? await deployedAssets(db, environmentId) : []);
    const [stored] = await findTablesByName(db, { environmentId, names: [table] });
    if (stored === undefined && !declared.knows(table)) throw notFound('table', table);
    const root: LineageNode = stored ?? { name: declared.asset(table)?.name ?? table, id: null, kind: null };
    const edges = new LineageEdges({ showsRuns: projects, canRead });
    const visible = withAssets(tables, declared);
    const canSee = (name: string) => declared.asset(name) !== undefined || canRead(name);
    const walk = new LineageWalk({ db, environmentId, visible, canSee, declared, edges });
    const upstream = direction === 'downstream' ? [] : await walk.follow(root, 'upstream', depth);
    const downstream = direction === 'upstream' ? [] : await walk.follow(root, 'downstream', depth);
    const { name, kind, repository } = walk.shown(root, 0);
    const shown = await edges.all(db, root.name);
    const truncated = walk.truncated || !shown.isComplete;
    return { table: name, kind, repository, upstream, downstream, edges: shown.edges, truncated };
  },
  searchScope,
);

/** Callers with READ_ENVIRONMENT see the names of assets, also without READ_TABLE on their tables (SEARCH-2). */
function withAssets(tables: VisibleTables, declared: DeclaredInputs): VisibleTables {
  if (tables === 'all') return tables;
  return { ...tables, tables: [...tables.tables, ...declared.names()] };
}

export const lineageRoutes: Route[] = [get];
