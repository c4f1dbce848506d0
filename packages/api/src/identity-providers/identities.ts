import { ApiError, invalid } from '@svc/core/errors';
import { identityProviderEndpoints as endpoints } from '@svc/core/identity-providers';
import { requireAdminLeft } from '@svc/db/access';
import {
  endMemberships,
  endProviderSessions,
  findSignInMethods,
  linkIdentity,
  setEmail,
  unlinkIdentity,
} from '@svc/db/identity-providers';
import { requirePrincipal } from '../access/principals.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';
import { requireProvider } from './routes.ts';

const methods = route(endpoints.signInMethods, async (ctx) =>
  findSignInMethods(ctx.db, await requirePrincipal(ctx.db, ctx.params.name)),
);

const PEOPLE_ONLY = 'a service account signs in with tokens only';

const email = route(endpoints.setEmail, async (ctx) => {
  const principal = await requirePrincipal(ctx.db, ctx.params.name, 'update');
  const address = ctx.body.email;
  if (principal.type !== 'person') throw invalid({ pointer: '/email' }, PEOPLE_ONLY);
  if (!(await setEmail(ctx.db, { principalId: principal.id, email: address })))
    throw new ApiError('already-exists', `Another person has the address ${address}. Remove it there first.`);
  const { id, name, active } = principal;
  await ctx.audit({ type: 'PRINCIPAL_UPDATED', detail: { principal_id: id, name, changed: ['email'], active } });
  return findSignInMethods(ctx.db, principal);
});

const link = route(endpoints.link, async (ctx) => {
  const principal = await requirePrincipal(ctx.db, ctx.params.name, 'update');
  const provider = await requireProvider(ctx.db, ctx.params.provider, 'share');
  if (principal.type !== 'person') throw invalid({ pointer: '/subject' }, PEOPLE_ONLY);
  const { subject } = ctx.body;
  const before = await findSignInMethods(ctx.db, principal);
  if (before.identities.some((known) => known.provider === provider.name && known.subject === subject)) return before;
  const linked = await linkIdentity(ctx.db, {
    id: ctx.deps.newId(),
    providerId: provider.id,
    principalId: principal.id,
    subject,
    email: null,
    by: ctx.caller.id,
    now: ctx.now,
  });
  if (!linked)
    throw new ApiError(
      'already-exists',
      `The subject ${subject} is linked to somebody else, or ${principal.name} to another subject of ${provider.name}. Unlink that first: svc principal unlink.`,
    );
  const detail = { principal: principal.name, provider: provider.name, subject, by: 'administrator' };
  await ctx.audit({ type: 'IDENTITY_LINKED', detail });
  return findSignInMethods(ctx.db, principal);
});

const unlink = route(endpoints.unlink, async (ctx) => {
  const principal = await requirePrincipal(ctx.db, ctx.params.name, 'update');
  const provider = await requireProvider(ctx.db, ctx.params.provider, 'share');
  const unlinked = { providerId: provider.id, principalId: principal.id, by: ctx.caller.id, now: ctx.now };
  await endProviderSessions(ctx.db, { ...unlinked, except: ctx.caller.token.id });
  const subject = await unlinkIdentity(ctx.db, unlinked);
  if (subject === null) throw notFound('identity', `of ${principal.name} at ${provider.name}`);
  const memberships = await endMemberships(ctx.db, unlinked);
  if (memberships.length > 0) await requireAdminLeft(ctx.db);
  for (const membership of memberships)
    await ctx.audit({ type: 'GROUP_MEMBER_REMOVED', detail: { ...membership, provider: provider.name } });
  const detail = { principal: principal.name, provider: provider.name, subject };
  await ctx.audit({ type: 'IDENTITY_UNLINKED', detail });
  return undefined;
});

export const identityRoutes: Route[] = [methods, email, link, unlink];
