import { accessEndpoints as endpoints, type Group } from '@svc/core/access';
import {
  addMember,
  createGroup,
  deleteGroup,
  findGroup,
  type Lock,
  listGroups,
  listMembers,
  lockGroup,
  removeMember,
  requireAdminLeft,
} from '@svc/db/access';
import type { Transaction } from '@svc/db/connection';
import type { Position } from '@svc/db/paging';
import { notFound } from '../http/context.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { positionOf } from '../http/response/position.ts';
import { PageResponse, type Route, route } from '../http/route.ts';
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

const remove = route(endpoints.deleteGroup, async (ctx) => {
  const { id, name } = await requireGroup(ctx.db, ctx.params.name, 'update');
  const revoked = await deleteGroup(ctx.db, { groupId: id, by: ctx.caller.id, now: ctx.now });
  await requireAdminLeft(ctx.db);
  await auditRevoked(ctx, revoked);
  await ctx.audit({ type: 'GROUP_DELETED', detail: { group_id: id, name } });
  return undefined;
});

const members = route(endpoints.listMembers, async (ctx) =>
  allOrPage(ctx, await listMembers(ctx.db, (await requireGroup(ctx.db, ctx.params.name)).id), (p) => [p.name]),
);

const add = route(endpoints.addMember, async (ctx) => {
  const group = await requireGroup(ctx.db, ctx.params.name, 'share');
  const principal = await requirePrincipal(ctx.db, ctx.params.principal, 'share');
  const { caller, now, deps } = ctx;
  const added = await addMember(ctx.db, {
    id: deps.newId(),
    groupId: group.id,
    principalId: principal.id,
    by: caller.id,
    now,
  });
  if (added) await ctx.audit({ type: 'GROUP_MEMBER_ADDED', detail: { group: group.name, principal: principal.name } });
  return undefined;
});

const removeOne = route(endpoints.removeMember, async (ctx) => {
  const group = await requireGroup(ctx.db, ctx.params.name);
  const principal = await requirePrincipal(ctx.db, ctx.params.principal);
  const removed = await removeMember(ctx.db, {
    groupId: group.id,
    principalId: principal.id,
    by: ctx.caller.id,
    now: ctx.now,
  });
  if (!removed) throw notFound('member', `${principal.name} of group ${group.name}`);
  await requireAdminLeft(ctx.db);
  await ctx.audit({ type: 'GROUP_MEMBER_REMOVED', detail: { group: group.name, principal: principal.name } });
  return undefined;
});

export const groupRoutes: Route[] = [create, list, get, remove, members, add, removeOne];
