import { canDoMore, scopeOf } from '@svc/core/access';
import { deployEndpoints as endpoints } from '@svc/core/deploys';
import { invalid } from '@svc/core/errors';
import { findPrincipal, listEffectiveGrants, type StoredPrincipal } from '@svc/db/access';
import { bindRunPrincipal, deploymentRecord, findDeployment } from '@svc/db/deploys';
import { skipDueTimes } from '@svc/db/jobs';
import { isBoundWithout } from '@svc/db/policies';
import type { Context } from '../http/context.ts';
import { route } from '../http/route.ts';
import { takeDeployment } from './take-deployment.ts';

/**
 * Without ACT_AS, callers can only bind an account that can do no more than they can in the environment, because the code
 * that they deploy acts as the account (ACCESS-46).
 * @throws AccessDeniedError
 */
async function requireActAs(ctx: Context, account: StoredPrincipal): Promise<void> {
  const { environment, caller, db, now } = ctx;
  const own = await ctx.listGrants(null);
  const object = scopeOf({ service_account: account.name });
  if (ctx.decide('ACT_AS', object, own).allowed) return;
  const grants = await listEffectiveGrants(db, { principalId: account.id, environmentId: environment.id, now });
  const policies = { environmentId: environment.id, principalId: caller.id, otherId: account.id };
  if (!canDoMore(grants, own, environment.name) && !(await isBoundWithout(db, policies))) return;
  const reason = `in ${environment.name} its runs can read or change more than you, and no grant allows you to act as it`;
  throw ctx.denied('ACT_AS', object, reason);
}

export const setRunAs = route(endpoints.setRunAs, async (ctx) => {
  const deployment = await takeDeployment(ctx);
  const { principal: name } = ctx.body;
  const principal = name === null ? null : await findPrincipal(ctx.db, name);
  if (name !== null && principal === null) throw invalid({ pointer: '/principal' }, `there is no principal ${name}`);
  if (principal !== null && (principal.type !== 'service-account' || !principal.active)) {
    const create = 'svc principal create NAME --type service-account';
    throw invalid(
      { pointer: '/principal' },
      `${name} is not an active service account, and scheduled runs never act as a person; create one: ${create}`,
      create,
    );
  }
  // By id: a deleted account may have had the same name.
  if (principal !== null && principal.id !== deployment.run_as_id) await requireActAs(ctx, principal);
  await bindRunPrincipal(ctx.db, { deploymentId: deployment.id, principalId: principal?.id ?? null, now: ctx.now });
  if (principal !== null && deployment.run_as_usable !== true)
    await skipDueTimes(ctx.db, { runAs: principal.id, deploymentId: deployment.id, now: ctx.now });
  await ctx.audit({
    type: 'RUN_AS_SET',
    object: scopeOf({ environment: ctx.environment.name }),
    detail: { repository: deployment.repository, principal: principal?.name ?? null, previous: deployment.run_as },
  });
  return deploymentRecord(
    (await findDeployment(ctx.db, { environmentId: ctx.environment.id, repository: deployment.repository }))!,
  );
});
