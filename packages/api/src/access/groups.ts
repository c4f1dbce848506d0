import { accessEndpoints as endpoints, type Group } from '@svc/core/access';
import {
  addMembers,
  createGroup,
  deleteGroup,
  findGroup,
  type Lock,
  listGroups,
  listMembers,
  lockGroup,
  removeMembers,
  requireAdminLeft,
} from '@svc/db/access';
import { recordEvents } from '@svc/db/audit';
import type { Transaction } from '@svc/db/connection';
import type { Position } from '@svc/db/paging';
import type { Context } from '../http/context.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { positionOf } from '../http/response/position.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { PageResponse, type Route, route } from '../http/route.ts';
import { endPoliciesFor } from '../policies/policy-events.ts';
import { auditRevoked } from './grant-events.ts';
import { requirePrincipal } from './principals.ts';

/** The active group of that name; `lock` locks it for a change. @throws ApiError `not-found` */
export async function requireGroup(client: Transaction, name: string, lock?: Lock): Promise<Group> {
  const group = await (lock === undefined ? findGroup(client, name) : lockGroup(client, name, lock));
  if (group === null) throw notFound('group', name);
  return group;
}

const create = route(endpoints.createGroup, async (ctx) => {
  const { name } = ctx.body;
  const group = await createGroup(ctx.db, { id: ctx.deps.newId(), name, createdBy: ctx.caller.id, now: ctx.now });
  await ctx.audit({ type: 'GROUP_CREATED', detail: { group_id: group.id, name } });
  return group;
});

const list = route(endpoints.listGroups, async (ctx) => {
  const page = { limit: ctx.query.limit, after: positionOf(ctx.position<Position>()) };
  const { items, next } = await listGroups(ctx.db, { search: ctx.query.q ?? '', page });
  return new PageResponse(items, next);
});

const get = route(endpoints.getGroup, (ctx) => requireGroup(ctx.db, ctx.params.name));

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Deletes a group that is locked, and records it; the events have `detail`, too. */
export async function deleteLockedGroup(ctx: Context, { id, name }: Named, detail: object = {}): Promise<void> {
  const revoked = await deleteGroup(ctx.db, { groupId: id, by: ctx.caller.id, now: ctx.now });
  await requireAdminLeft(ctx.db);
  await auditRevoked(ctx, revoked);
  await endPoliciesFor(ctx, { groupId: id });
  await ctx.audit({ type: 'GROUP_DELETED', detail: { group_id: id, name, ...detail } });
}

const remove = route(endpoints.deleteGroup, async (ctx) => {
  await deleteLockedGroup(ctx, await requireGroup(ctx.db, ctx.params.name, 'update'));
  return undefined;
});

const members = route(endpoints.listMembers, async (ctx) =>
  allOrPage(ctx, await listMembers(ctx.db, (await requireGroup(ctx.db, ctx.params.name)).id), (p) => [p.name]),
);

/** Adds those who aren't members yet, and records them; the events have `detail`, too. */
export async function addToGroup(ctx: Context, group: Named, people: readonly Named[], detail = {}): Promise<void> {
  const members = people.map(({ id }) => ({ id: ctx.deps.newId(), principalId: id }));
  const added = await addMembers(ctx.db, { groupId: group.id, members, by: ctx.caller.id, now: ctx.now });
  await recordMembers(ctx, 'GROUP_MEMBER_ADDED', { group, people, ids: added, detail });
}

/** Removes those who are members, and records them; the events have `detail`, too. Returns how many they were. */
export async function removeFromGroup(
  ctx: Context,
  group: Named,
  people: readonly Named[],
  detail = {},
): Promise<number> {
  const principalIds = people.map(({ id }) => id);
  const removed = await removeMembers(ctx.db, { groupId: group.id, principalIds, by: ctx.caller.id, now: ctx.now });
  await recordMembers(ctx, 'GROUP_MEMBER_REMOVED', { group, people, ids: removed, detail });
  return removed.length;
}

function recordMembers(
  ctx: Context,
  type: 'GROUP_MEMBER_ADDED' | 'GROUP_MEMBER_REMOVED',
  { group, people, ids, detail }: { group: Named; people: readonly Named[]; ids: readonly string[]; detail: object },
): Promise<void> {
  const changed = new Set(ids);
  return recordEvents(
    ctx.db,
    people
      .filter(({ id }) => changed.has(id))
      .map(({ name }) => ctx.event({ type, detail: { group: group.name, principal: name, ...detail } })),
  );
}

const add = route(endpoints.addMember, async (ctx) => {
  const group = await requireGroup(ctx.db, ctx.params.name, 'share');
  await addToGroup(ctx, group, [await requirePrincipal(ctx.db, ctx.params.principal, 'share')]);
  return undefined;
});

const removeOne = route(endpoints.removeMember, async (ctx) => {
  const group = await requireGroup(ctx.db, ctx.params.name);
  const principal = await requirePrincipal(ctx.db, ctx.params.principal);
  if ((await removeFromGroup(ctx, group, [principal])) === 0)
    throw notFound('member', `${principal.name} of group ${group.name}`);
  await requireAdminLeft(ctx.db);
  return undefined;
});

export const groupRoutes: Route[] = [create, list, get, remove, members, add, removeOne];
