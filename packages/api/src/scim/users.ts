import { ApiError } from '@svc/core/errors';
import { patchUser, readUser, SCIM, type ScimUser } from '@svc/core/scim';
import { createPrincipal, updatePrincipal } from '@svc/db/access';
import { setEmail } from '@svc/db/identity-providers';
import { findScimUser, listScimUsers, putScimResource, type StoredScimUser } from '@svc/db/scim';
import { deleteLockedPrincipal, stopDeactivated } from '../access/principals.ts';
import {
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

const fieldsOf = ({ name, external_id, active, email, attributes }: StoredScimUser): ScimUser => ({
  userName: name,
  externalId: external_id,
  active,
  email,
  ...attributes,
});

function resourceOf(scim: ScimContext, user: StoredScimUser) {
  const { userName, externalId, active, displayName, name, email } = fieldsOf(user);
  const present = Object.entries(name).filter(([, value]) => value !== null);
  return {
    schemas: [SCIM.user],
    id: user.id,
    ...(externalId === null ? {} : { externalId }),
    userName,
    ...(displayName === null ? {} : { displayName }),
    ...(present.length === 0 ? {} : { name: Object.fromEntries(present) }),
    ...(email === null ? {} : { emails: [{ value: email, type: 'work', primary: true }] }),
    active,
    meta: metaOf(scim, 'User', user),
  };
}

async function requireUser(scim: ScimContext, lock = false): Promise<StoredScimUser> {
  const id = idOf(scim, 'user');
  const user = await findScimUser(scim.ctx.db, { providerId: scim.provider.id, id }, lock);
  if (user === null) throw missing('user', id);
  return user;
}

export const listUsers: ScimHandler = async (scim) => {
  const page = pageOf(scim, ['userName', 'externalId', 'id']);
  const { items, total } = await listScimUsers(scim.ctx.db, { providerId: scim.provider.id, ...page });
  const resources = items.map((user) => resourceOf(scim, user));
  return { status: 200, body: listResponse(resources, page, total) };
};

export const getUser: ScimHandler = async (scim) => ({ status: 200, body: resourceOf(scim, await requireUser(scim)) });

export const createUser: ScimHandler = async (scim) => {
  const { ctx, provider } = scim;
  const user = readUser(scim.body);
  const id = ctx.deps.newId();
  const { userName: name } = user;
  const person = { id, name, type: 'person', passwordHash: null, createdBy: ctx.caller.id, now: ctx.now } as const;
  await createPrincipal(ctx.db, person);
  await ctx.audit({
    type: 'PRINCIPAL_CREATED',
    detail: { principal_id: id, name, type: 'person', provider: provider.name },
  });
  await store(scim, id, user);
  if (user.email !== null || !user.active) await apply(scim, { id, name, active: true, email: null }, user);
  const created = (await findScimUser(ctx.db, { providerId: provider.id, id }))!;
  return { status: 201, body: resourceOf(scim, created) };
};

/** @throws ApiError `already-exists` */
async function store({ ctx, provider }: ScimContext, id: string, user: ScimUser): Promise<void> {
  const { externalId, displayName, name } = user;
  const attributes = { displayName, name };
  const resource = { providerId: provider.id, id, kind: 'user', externalId, attributes, now: ctx.now } as const;
  if (!(await putScimResource(ctx.db, resource))) throw externalIdTaken(externalId);
}

/** Applies what svc itself uses, with the events of an administrator's changes. */
async function apply(
  { ctx, provider }: ScimContext,
  before: { id: string; name: string; active: boolean; email: string | null },
  { active, email }: ScimUser,
  stored: readonly string[] = [],
): Promise<void> {
  const { id, name } = before;
  const changed = [...stored];
  if (active !== before.active) {
    await updatePrincipal(ctx.db, { id, active, now: ctx.now });
    if (!active) await stopDeactivated(ctx, id);
    changed.push('active');
  }
  if (email !== before.email) {
    if (!(await setEmail(ctx.db, { principalId: id, email })))
      throw new ApiError('already-exists', `Another person has the address ${email}.`);
    changed.push('email');
  }
  if (changed.length === 0) return;
  const detail = { principal_id: id, name, changed, active, provider: provider.name };
  await ctx.audit({ type: 'PRINCIPAL_UPDATED', detail });
}

/** What only the provider uses, and the external id, by which a first sign-in finds the person (SCIM-8). */
function storedChanges(before: ScimUser, after: ScimUser): string[] {
  const attributesOf = ({ displayName, name: { formatted, givenName, familyName } }: ScimUser) =>
    JSON.stringify([displayName, formatted, givenName, familyName]);
  return [
    ...(before.externalId === after.externalId ? [] : ['external_id']),
    ...(attributesOf(before) === attributesOf(after) ? [] : ['attributes']),
  ];
}

async function change(scim: ScimContext, next: (before: ScimUser) => ScimUser) {
  const before = await requireUser(scim, true);
  await requireManageable(scim, before);
  const after = next(fieldsOf(before));
  requireSameName(before.name, after.userName, 'userName');
  await store(scim, before.id, after);
  await apply(scim, before, after, storedChanges(fieldsOf(before), after));
  return { status: 200, body: resourceOf(scim, await requireUser(scim)) };
}

export const replaceUser: ScimHandler = (scim) => change(scim, (before) => readUser(scim.body, before));
export const updateUser: ScimHandler = (scim) => change(scim, (before) => patchUser(before, scim.body));

export const deleteUser: ScimHandler = async (scim) => {
  const user = await requireUser(scim, true);
  await requireManageable(scim, user);
  await deleteLockedPrincipal(scim.ctx, user, { provider: scim.provider.name });
  return { status: 204 };
};
