import type { EffectiveGrant, ObjectScope } from '@svc/core/access';
import {
  badRequest,
  type CommitBody,
  commitActions,
  commitBody,
  commitTransactionBody,
  type Identifier,
  isCreate,
  missing,
} from '@svc/core/catalog';
import { type CatalogTable, findCatalogTable, findTableIds, isBound, lockCatalogTables } from '@svc/db/catalog';
import { inTransaction as inOneTransaction } from '@svc/db/connection';
import { readTableMetadata, type TableState } from '@svc/iceberg';
import type { Context } from '../../http/context.ts';
import { requireExisting } from '../../http/guard/authorize.ts';
import {
  boundByPolicies,
  type CatalogContext,
  filesOf,
  fullName,
  namespaceScope,
  requireAny,
  requireAnywhere,
  tableScope,
} from '../protocol/context.ts';
import { type CatalogResponse, NO_CONTENT } from '../protocol/response.ts';
import { type CatalogRoute, change } from '../protocol/route.ts';
import { commitCreate } from './create-commit.ts';
import { tableResponse } from './load.ts';
import { type CommitTarget, commitToTable, requirementsOf, updatesOf } from './table-commit.ts';
import { requireKind, requireNamed } from './tables.ts';

/** One table's part of a request. */
interface Part {
  body: CommitBody;
  on: ObjectScope;
  namespace: string;
  name: string;
  grants: readonly EffectiveGrant[];
}

const requested = (body: CommitBody) => ({ requirements: requirementsOf(body), updates: updatesOf(body) });

const inTransaction = (ctx: CatalogContext): boolean => ctx.db !== ctx.deps.db.prisma;

/** Checks the permissions that the requested updates need, regardless of the table's state. @throws AccessDeniedError */
function authorizePart(ctx: CatalogContext, { body, on, namespace, grants }: Part): void {
  if (isCreate(requested(body))) ctx.require('CREATE_TABLE', on.table === null ? on : ctx.scope({ namespace }), grants);
  else for (const choice of commitActions(requested(body))) requireAny(ctx, choice, on, grants);
}

const update = change(
  'updateTable',
  commitBody,
  async (ctx) => {
    const { table: name } = ctx.params;
    const part = partOfPath(ctx);
    authorizePart(ctx, part);
    // Creating a table checks later whether the namespace exists.
    requireExisting(ctx as Context, isCreate(requested(ctx.body)) ? ctx.scope() : ctx.target);
    const id = ctx.object.table?.id ?? null;
    const [state] = inTransaction(ctx) ? await commitAll(ctx, [{ ...part, id }]) : [await commitOne(ctx, part)];
    const { metadata, metadataLocation } = state!;
    // Callers bound by a policy can't commit, and a table created here has no policy yet.
    return tableResponse(ctx, {
      id: id ?? metadata['table-uuid'],
      name,
      metadataLocation,
      location: null,
      bound: false,
    });
  },
  {
    authorize: async (ctx) => {
      const { namespace } = ctx.params;
      if (ctx.decide('CREATE_TABLE', ctx.scope({ namespace })).allowed) return;
      requireAny(ctx, ['WRITE_TABLE', 'MAINTAIN_TABLE'], ctx.target);
    },
    needsNoTransaction: (ctx) => !isCreate(requested(ctx.body)),
    replay: async (ctx, made) => {
      authorizePart(ctx, partOfPath(ctx));
      requireExisting(ctx as Context);
      const { id, metadataLocation } = await requireKind(ctx, 'managed');
      if (id !== (made ?? id)) throw badRequest('The table was dropped or renamed while this commit ran.');
      return tableResponse(ctx, { id, name: ctx.params.table, metadataLocation: metadataLocation!, location: null });
    },
  },
);

const partOfPath = (ctx: CatalogContext<CommitBody>): Part => {
  const { namespace, table: name } = ctx.params;
  return { body: ctx.body, on: ctx.target, namespace, name, grants: ctx.grants };
};

const transaction = change(
  'commitTransaction',
  commitTransactionBody,
  async (ctx): Promise<CatalogResponse> => {
    const grants = await ctx.listGrants();
    const parts = ctx.body['table-changes'].map((body) => partOf(ctx, body, body.identifier, grants));
    for (const part of parts) authorizePart(ctx, part);
    for (const part of parts) requireNames(part);
    requireExisting(ctx as Context);
    const ids = await findTableIds(ctx.db, { environmentId: ctx.environment.id, names: parts });
    await commitAll(
      ctx,
      parts.map((part, i) => ({ ...part, id: ids[i]! })),
    );
    return NO_CONTENT;
  },
  { authorizeNamed: (ctx) => authorizeTransaction(ctx, ctx.body?.['table-changes'][0]) },
);

/** Callers without permission to commit to any of the tables get the error for the first one. */
function authorizeTransaction(ctx: CatalogContext, first: (CommitBody & { identifier: Identifier }) | undefined) {
  const any = ['WRITE_TABLE', 'MAINTAIN_TABLE', 'CREATE_TABLE'] as const;
  if (first === undefined) return requireAnywhere(ctx, any, ctx.scope());
  const { identifier } = first;
  if (isCreate(requested(first))) {
    return requireAnywhere(ctx, ['CREATE_TABLE', ...any], namespaceScope(ctx, identifier.namespace));
  }
  const action = commitActions(requested(first))[0]?.[0] ?? 'WRITE_TABLE';
  return requireAnywhere(ctx, [action, ...any], tableScope(ctx, identifier));
}

function partOf(ctx: CatalogContext, body: CommitBody, identifier: Identifier, grants: EffectiveGrant[]): Part {
  const { namespace, name } = identifier;
  return { body, on: tableScope(ctx, identifier), namespace: namespace.join('.'), name, grants: grants };
}

/** @throws CatalogError if the name is not valid for a table */
function requireNames({ on, namespace, name }: Part): void {
  if (on.table === null) throw missing('table', fullName(namespace, name));
}

/**
 * Commits to all of the tables or to none. They are locked in a fixed order, so that each part sees the latest state
 * and nothing changes it concurrently. Files written before a failed part are removed.
 */
async function commitAll(ctx: CatalogContext, parts: readonly (Part & { id: string | null })[]): Promise<TableState[]> {
  for (const { on, body } of parts)
    ctx.requireUnprotected(isCreate(requested(body)) ? 'CREATE_TABLE' : 'WRITE_TABLE', on);
  const creates = parts.filter(({ body }) => isCreate(requested(body)));
  const written: TableState[] = [];
  try {
    // Locations are reserved before rows are locked.
    for (const part of creates) written.push(await commitCreate(ctx, part));
    const rest = parts.filter(({ body }) => !isCreate(requested(body)));
    const tables = await lockCatalogTables(
      ctx.db,
      rest.flatMap(({ id }) => (id === null ? [] : [id])),
    );
    for (const part of rest) {
      const table = requireTable(part, part.id === null ? null : tables.get(part.id));
      // The row is locked, so no other commit can come first.
      const state = (await commitPart(ctx, part, table))!;
      written.push(state);
      // If the request names the same table again, that part builds on this state.
      tables.set(table.id, { ...table, metadataLocation: state.metadataLocation });
    }
    return written;
  } catch (error) {
    for (const { metadataLocation } of written) await ctx.deps.store.remove(metadataLocation).catch(() => false);
    throw error;
  }
}

function requireTable(part: Part, table: CatalogTable | null | undefined): CatalogTable {
  if (table?.kind === 'managed') return table;
  throw missing('table', fullName(part.namespace, part.name));
}

/** How often a commit may lose to concurrent ones before it locks the table. */
const RACES = 3;

/**
 * Commits to one table in a single statement. If concurrent commits come first and the requirements still hold, it
 * retries; the last attempt locks the table, so that it completes however many clients write.
 */
async function commitOne(ctx: CatalogContext, part: Part): Promise<TableState> {
  ctx.requireUnprotected('WRITE_TABLE', part.on);
  requireNamed(ctx, 'managed');
  const { id, name } = ctx.table;
  const { bound, location, metadata_location: metadataLocation } = filesOf(ctx);
  const found = { id, name, namespace: ctx.namespace.path, location, metadataLocation };
  const first = await commitPart(ctx, part, found, bound);
  if (first !== null) return first;
  for (let race = 1; race < RACES; race++) {
    const state = await commitPart(ctx, part, requireTable(part, await findCatalogTable(ctx.db, id)));
    if (state !== null) return state;
  }
  return commitLocked(ctx, { ...part, id });
}

async function commitLocked(ctx: CatalogContext, part: Part & { id: string }): Promise<TableState> {
  try {
    return await inOneTransaction(ctx.deps.db, async (tx) => {
      ctx.db = tx;
      const [state] = await commitAll(ctx, [part]);
      return state!;
    });
  } finally {
    ctx.db = ctx.deps.db.prisma;
  }
}

/** @param isExisting whether a policy binds the caller, if the request has just checked that */
async function commitPart(
  ctx: CatalogContext,
  part: Part,
  table: CommitTarget,
  isExisting?: boolean,
): Promise<TableState | null> {
  const { body, on, grants } = part;
  const [bound, { refs }] = await Promise.all([
    isExisting ?? isBound(ctx.db, { tableId: table.id, principalId: ctx.caller.id }),
    readTableMetadata(ctx.deps.store, table.metadataLocation!),
  ]);
  if (bound) throw boundByPolicies('WRITE_TABLE', on);
  const referenced = new Set<unknown>(Object.values(refs).map((ref) => ref['snapshot-id']));
  for (const choice of commitActions(requested(body), (id) => referenced.has(id))) requireAny(ctx, choice, on, grants);
  return commitToTable(ctx, table, body, ctx.scope({ namespace: table.namespace, table: table.name }));
}

export const commitRoutes: CatalogRoute[] = [update, transaction];
