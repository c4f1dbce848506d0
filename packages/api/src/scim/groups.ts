import { patchGroup, readGroup, SCIM, type ScimGroup, ScimInputError } from '@svc/core/scim';
import { createGroup } from '@svc/db/access';
import {
  findScimGroup,
  listScimGroups,
  putScimResource,
  type StoredScimGroup,
  scimMembers,
  usersAmong,
} from '@svc/db/scim';
import { addToGroup, deleteLockedGroup, removeFromGroup } from '../access/groups.ts';
import {
  excludesMembers,
  externalIdTaken,
  idOf,
  listResponse,
  metaOf,
  missing,
  pageOf,
  requireManageable,
  requireSameName,
  type ScimContext,
  type ScimHandler,
} from './context.ts';

type Shown = Omit<StoredScimGroup, 'members'> & { members: StoredScimGroup['members'] | null };

function resourceOf(scim: ScimContext, { id, name, external_id: externalId, members, ...times }: Shown) {
  return {
    schemas: [SCIM.group],
    id,
    ...(externalId === null ? {} : { externalId }),
    displayName: name,
    ...(members === null ? {} : { members: members.map((member) => ({ value: member.id, display: member.name })) }),
    meta: metaOf(scim, 'Group', { id, ...times }),
  };
}

async function requireGroup(scim: ScimContext, lock = false): Promise<StoredScimGroup> {
  const id = idOf(scim, 'group');
  const group = await findScimGroup(scim.ctx.db, { providerId: scim.provider.id, id }, lock);
  if (group === null) throw missing('group', id);
  return group;
}

const shown = (scim: ScimContext, group: StoredScimGroup) =>
  resourceOf(scim, { ...group, members: excludesMembers(scim) ? null : group.members });

export const listGroups: ScimHandler = async (scim) => {
  const page = pageOf(scim, ['displayName', 'externalId', 'id']);
  const providerId = scim.provider.id;
  const { items, total } = await listScimGroups(scim.ctx.db, { providerId, ...page });
  const ids = items.map(({ id }) => id);
  const members = excludesMembers(scim) ? null : await scimMembers(scim.ctx.db, { providerId, ids });
  const resources = items.map((group) => resourceOf(scim, { ...group, members: members?.get(group.id) ?? null }));
  return { status: 200, body: listResponse(resources, page, total) };
};

export const getGroup: ScimHandler = async (scim) => ({ status: 200, body: shown(scim, await requireGroup(scim)) });

export const createGroupResource: ScimHandler = async (scim) => {
  const { ctx, provider } = scim;
  const group = readGroup(scim.body);
  const id = ctx.deps.newId();
  await createGroup(ctx.db, { id, name: group.displayName, createdBy: ctx.caller.id, now: ctx.now });
  await ctx.audit({
    type: 'GROUP_CREATED',
    detail: { group_id: id, name: group.displayName, provider: provider.name },
  });
  await store(scim, id, group);
  await setMembers(scim, { id, name: group.displayName, members: [] }, group.members);
  const created = (await findScimGroup(ctx.db, { providerId: provider.id, id }))!;
  return { status: 201, body: shown(scim, created) };
};

/** @throws ApiError `already-exists` */
async function store({ ctx, provider }: ScimContext, id: string, { externalId }: ScimGroup): Promise<void> {
  const resource = { providerId: provider.id, id, kind: 'group', externalId, attributes: {}, now: ctx.now } as const;
  if (!(await putScimResource(ctx.db, resource))) throw externalIdTaken(externalId);
}

async function setMembers(
  { ctx, provider }: ScimContext,
  group: Pick<StoredScimGroup, 'id' | 'name' | 'members'>,
  wanted: readonly string[],
): Promise<void> {
  const before = new Set(group.members.map(({ id }) => id));
  const added = wanted.filter((id) => !before.has(id));
  const people = await usersAmong(ctx.db, { providerId: provider.id, ids: added });
  const known = new Set(people.map(({ id }) => id));
  const unknown = added.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw new ScimInputError('invalidValue', `members: there is no user ${unknown} that this provider has created.`);
  const after = new Set(wanted);
  const removed = group.members.filter(({ id }) => !after.has(id));
  const detail = { provider: provider.name };
  await addToGroup(ctx, group, people, detail);
  await removeFromGroup(ctx, group, removed, detail);
}

async function change(scim: ScimContext, next: (before: ScimGroup) => ScimGroup) {
  const before = await requireGroup(scim, true);
  await requireManageable(scim, before);
  const after = next({
    displayName: before.name,
    externalId: before.external_id,
    members: before.members.map(({ id }) => id),
  });
  requireSameName(before.name, after.displayName, 'displayName');
  await store(scim, before.id, after);
  await setMembers(scim, before, after.members);
  return { status: 200, body: shown(scim, await requireGroup(scim)) };
}

export const replaceGroup: ScimHandler = (scim) => change(scim, () => readGroup(scim.body));
export const updateGroup: ScimHandler = (scim) => change(scim, (before) => patchGroup(before, scim.body));

export const deleteGroupResource: ScimHandler = async (scim) => {
  const group = await requireGroup(scim, true);
  await requireManageable(scim, group);
  await deleteLockedGroup(scim.ctx, group, { provider: scim.provider.name });
  return { status: 204 };
};
