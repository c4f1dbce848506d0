import { invalid } from '@svc/core/errors';
import { identityProviderEndpoints as endpoints, type IdentityProvider } from '@svc/core/identity-providers';
import { findGroup, lockPrincipal, requireAdminLeft } from '@svc/db/access';
import type { Transaction } from '@svc/db/connection';
import {
  createProvider,
  deleteProvider,
  endMemberships,
  endProviderSessions,
  findProvider,
  type GroupMapping,
  listProviders,
  type ProviderFields,
  providerRecord,
  type StoredProvider,
  updateProvider,
} from '@svc/db/identity-providers';
import type { Context } from '../http/context.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';
import { sealClientSecret } from './client-secret.ts';

/** The provider of that name; `lock` locks it for a change. @throws ApiError `not-found` */
export async function requireProvider(
  client: Transaction,
  name: string,
  lock?: 'update' | 'share',
): Promise<StoredProvider> {
  const provider = await findProvider(client, name, lock);
  if (provider !== null) return provider;
  throw notFound('identity provider', name, { to: 'list the registered ones', run: 'svc identity-provider list' });
}

type Groups = IdentityProvider['groups'];

/** Groups are stored by their ids, so that a new group of an old name doesn't get the members of the old one. */
async function mappingOf(ctx: Context, groups: Groups): Promise<GroupMapping[]> {
  const ids = new Map<string, string>();
  for (const [index, { group: name }] of groups.entries()) {
    const group = ids.has(name) ? null : await findGroup(ctx.db, name);
    if (group !== null) ids.set(name, group.id);
    if (!ids.has(name))
      throw invalid(
        { pointer: `/groups/${index}/group` },
        `there is no group ${name}; create it first: svc group create`,
      );
  }
  return groups.map(({ value, group }) => ({ value, group_id: ids.get(group)! }));
}

/** The id of the service account for SCIM, which serves one provider: `except` is the one that may have it already. */
async function scimAccountOf(ctx: Context, name: string | null, except: string | null): Promise<string | null> {
  if (name === null) return null;
  // One at a time finds that another provider has it.
  const account = await lockPrincipal(ctx.db, name, 'update');
  if (account?.type !== 'service-account')
    throw invalid(
      { pointer: '/scim_account' },
      `there is no service account ${name}; create it first: svc principal create --type service-account`,
    );
  const other = (await listProviders(ctx.db)).find((p) => p.scim_account === name && p.id !== except);
  if (other !== undefined)
    throw invalid({ pointer: '/scim_account' }, `${name} is the account of ${other.name} already`);
  return account.id;
}

/** Values of a claim without the claim would never add anybody. */
function requireClaim({ groups_claim, groups }: { groups_claim: string | null; groups: Groups }): void {
  if (groups_claim === null && groups.length > 0)
    throw invalid({ pointer: '/groups' }, 'needs groups_claim, the claim that contains these values');
}

const auditDetail = ({
  id,
  name,
  created_by: _by,
  created_at: _at,
  updated_at: _updated,
  ...fields
}: StoredProvider) => ({
  provider_id: id,
  name,
  ...fields,
});

const create = route(endpoints.create, async (ctx) => {
  const { name, issuer, client_secret, groups, scim_account, ...fields } = ctx.body;
  requireClaim({ ...fields, groups });
  const id = ctx.deps.newId();
  const secret = sealClientSecret(ctx.deps, id, client_secret);
  const mapping = await mappingOf(ctx as Context, groups);
  const scimAccountId = await scimAccountOf(ctx as Context, scim_account, null);
  const provider = {
    id,
    name,
    issuer,
    ...fields,
    scimAccountId,
    mapping,
    secret,
    createdBy: ctx.caller.id,
    now: ctx.now,
  };
  await createProvider(ctx.db, provider);
  const created = await requireProvider(ctx.db, name);
  await ctx.audit({ type: 'IDENTITY_PROVIDER_CREATED', detail: auditDetail(created) });
  return providerRecord(created);
});

const list = route(endpoints.list, async (ctx) =>
  allOrPage(ctx as Context, (await listProviders(ctx.db)).map(providerRecord), ({ name }) => [name]),
);

const get = route(endpoints.get, async (ctx) => providerRecord(await requireProvider(ctx.db, ctx.params.name)));

const update = route(endpoints.update, async (ctx) => {
  const old = await requireProvider(ctx.db, ctx.params.name, 'update');
  const { client_secret, ...changes } = ctx.body as Partial<Omit<ProviderFields, 'mapping' | 'secret'>> & {
    client_secret?: string | null;
    groups?: Groups;
  };
  const { groups, ...fields } = { ...old, ...changes };
  requireClaim({ ...fields, groups });
  const secret = sealClientSecret(ctx.deps, old.id, client_secret);
  const mapping = await mappingOf(ctx as Context, groups);
  const scimAccountId = await scimAccountOf(ctx as Context, fields.scim_account, old.id);
  await updateProvider(ctx.db, { ...fields, scimAccountId, mapping, secret, now: ctx.now });
  const updated = await requireProvider(ctx.db, old.name);
  const detail = { ...auditDetail(updated), changed: Object.keys(ctx.body as object) };
  await ctx.audit({ type: 'IDENTITY_PROVIDER_UPDATED', detail });
  return providerRecord(updated);
});

const remove = route(endpoints.delete, async (ctx) => {
  const { id, name, issuer } = await requireProvider(ctx.db, ctx.params.name, 'update');
  const all = { providerId: id, principalId: null, by: ctx.caller.id, now: ctx.now };
  await endProviderSessions(ctx.db, { ...all, except: ctx.caller.token.id });
  await deleteProvider(ctx.db, { id, by: ctx.caller.id, now: ctx.now });
  const removed = await endMemberships(ctx.db, all);
  if (removed.length > 0) await requireAdminLeft(ctx.db);
  for (const membership of removed)
    await ctx.audit({ type: 'GROUP_MEMBER_REMOVED', detail: { ...membership, provider: name } });
  await ctx.audit({ type: 'IDENTITY_PROVIDER_DELETED', detail: { provider_id: id, name, issuer } });
  return undefined;
});

export const providerRoutes: Route[] = [create, list, get, update, remove];
