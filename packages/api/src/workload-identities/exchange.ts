import { type Action, INSTANCE, makeTokenText } from '@svc/core/access';
import { isStorable } from '@svc/core/contract';
import { ApiError, invalid } from '@svc/core/errors';
import { REFUSAL_REASONS } from '@svc/core/identity-providers';
import { tokenExchangeBody, workloadMatches } from '@svc/core/workload-identities';
import { hashToken, type NewTokenScope, storeToken } from '@svc/db/access';
import { recordEvent } from '@svc/db/audit';
import { inTransaction, type Transaction } from '@svc/db/connection';
import { findEnvironment } from '@svc/db/environments';
import { listIdentitiesOfIssuer, lockWorkloadIdentity, type StoredWorkloadIdentity } from '@svc/db/workload-identities';
import type { RequestHandler } from 'express';
import { decodeJwt, type JWTPayload } from 'jose';
import type * as z from 'zod';
import { readSignIn } from '../access/sign-in.ts';
import {
  countAttempt,
  type Limit,
  limitsOfWorkloads,
  type ProviderAttempt,
  recordFailure,
  takeBackAttempt,
} from '../access/sign-in-attempts.ts';
import { readActions, scopeDetail } from '../access/tokens.ts';
import type { ApiDeps } from '../http/deps.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { RefusedSignInError } from '../identity-providers/refused-sign-in.ts';

const LIFETIME_S = 3600;
const MAX_BODY = 32 * 1024;
const MAX_TEXT = 255;

type Body = z.output<typeof tokenExchangeBody>;

interface Fields extends Omit<Body, 'actions'> {
  readonly actions: readonly Action[] | null;
}

/**
 * Exchanges a token of a CI system or cluster for one of a service account (TOKEN-9). Failures count like failed sign-ins, and are
 * answered alike; the audit log has the reason.
 */
export function exchangeToken(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const body = await readSignIn<Body>(req, tokenExchangeBody, MAX_BODY);
    const fields = { ...body, actions: readActions(body.actions) };
    const attempt: ProviderAttempt = {
      ...{ deps, address: clientAddress(req), requestId: requestIdOf(res), now: deps.clock() },
      ...{ name: null, provider: null },
    };
    const limits = limitsOfWorkloads(attempt);
    await countAttempt(attempt, limits);
    const issued = await exchanged(attempt, fields).catch((error: unknown) => reportRefusal(attempt, limits, error));
    await takeBackAttempt(deps.db.prisma, limits);
    res.status(200).set('Cache-Control', 'no-store').json(issued);
  };
}

async function reportRefusal(attempt: ProviderAttempt, limits: Limit[], error: unknown): Promise<never> {
  const { deps, requestId } = attempt;
  // The token was valid, but the rest of the request was not.
  if (error instanceof ApiError) await takeBackAttempt(deps.db.prisma, limits);
  if (!(error instanceof RefusedSignInError)) throw error;
  const { reason, principal } = error;
  deps.log.warn({ err: error, requestId, reason }, 'an exchange of a token was refused');
  await recordFailure(attempt, false, { reason, name: principal });
  if (REFUSAL_REASONS[reason] === 'unavailable')
    throw new ApiError('provider-unavailable', 'The keys of the issuer could not be fetched. Try again in a moment.');
  throw new ApiError(
    'token-exchange-refused',
    'The token is not valid, or no active service account trusts its issuer, audience, subject and claims. An administrator finds the reason in the audit log, under the request id.',
  );
}

async function exchanged(attempt: ProviderAttempt, fields: Fields) {
  const { deps } = attempt;
  const { identity, payload } = await verified(deps, fields);
  return inTransaction(deps.db, async (tx) => {
    // It may have been deleted while the keys were fetched.
    if (!(await lockWorkloadIdentity(tx, identity.id))) throw unknown();
    const scope = await narrowedScope(tx, identity, fields);
    return store(tx, { attempt, identity, payload, scope });
  });
}

/** The identity that the token proves. Keys are fetched only from issuers that an administrator has named. */
async function verified(
  deps: ApiDeps,
  { subject_token: token, principal }: Fields,
): Promise<{ identity: StoredWorkloadIdentity; payload: JWTPayload }> {
  const issuer = issuerOf(token);
  const known = issuer === null ? [] : await listIdentitiesOfIssuer(deps.db.prisma, issuer);
  if (issuer === null || known.length === 0) throw unknown();
  const audiences = [...new Set(known.map(({ audience }) => audience))];
  const payload = await deps.providers.verifyWorkload(issuer, token, audiences);
  const matching = known.filter((identity) => workloadMatches(identity, payload));
  const chosen = matching.filter((identity) => principal === undefined || identity.principal === principal);
  const [identity] = chosen;
  if (identity === undefined) throw unknown();
  if (new Set(chosen.map((each) => each.principal_id)).size > 1) throw new RefusedSignInError('several-principals');
  // Of several identities of a principal, the first one that an administrator has created counts.
  if (!identity.active) throw new RefusedSignInError('deactivated', { principal: identity.principal });
  return { identity, payload };
}

const unknown = () => new RefusedSignInError('unknown-workload');

function issuerOf(token: string): string | null {
  try {
    const { iss }: { iss?: unknown } = decodeJwt(token);
    return typeof iss === 'string' && isStorable(iss) ? iss : null;
  } catch {
    return null;
  }
}

/**
 * The scope of the identity, narrowed to what the request names. A token of a workload always has a scope, so that it can't issue
 * tokens that outlive it (TOKEN-7).
 *
 * @throws RefusedSignInError for more than the identity has
 */
async function narrowedScope(
  tx: Transaction,
  { scope, environment_ids: ids, principal }: StoredWorkloadIdentity,
  { actions, environments: names }: Fields,
): Promise<NewTokenScope> {
  const environments = names === undefined ? null : [...new Set(names)].sort();
  if (exceeds(actions, scope?.actions) || exceeds(environments, scope?.environments))
    throw new RefusedSignInError('scope-exceeded', { principal });
  const environmentIds: string[] = [];
  for (const name of environments ?? []) {
    const found = await findEnvironment(tx, name, { includeDeleted: true });
    if (found === null) throw invalid({ pointer: '/environments' }, `there is no environment ${name}`);
    environmentIds.push(found.id);
  }
  return {
    environments: environments ?? scope?.environments ?? null,
    environmentIds: environments === null ? ids : environmentIds,
    actions: actions ?? scope?.actions ?? null,
  };
}

/** Null and undefined stand for no limit. */
const exceeds = (requested: readonly string[] | null, allowed: readonly string[] | null | undefined): boolean =>
  allowed != null && (requested?.some((one) => !allowed.includes(one)) ?? false);

interface Exchange {
  attempt: ProviderAttempt;
  identity: StoredWorkloadIdentity;
  payload: JWTPayload;
  scope: NewTokenScope;
}

async function store(tx: Transaction, { attempt, identity, payload, scope }: Exchange) {
  const { deps, now, address, requestId } = attempt;
  const { id, principal_id: principalId, principal, issuer } = identity;
  const subject = payload.sub!;
  const token = makeTokenText('service-account', deps.random);
  const expiresAt = new Date(now.getTime() + LIFETIME_S * 1000);
  const stored = await storeToken(tx, {
    ...{ id: deps.newId(), principalId, principal, name: storable(subject), kind: 'service-account' as const },
    ...{ hash: hashToken(token), now, createdBy: principalId, expiresAt, scope, workloadIdentityId: id },
  });
  const { jti } = payload;
  await recordEvent(tx, {
    ...{
      id: deps.newId(),
      time: now,
      type: 'TOKEN_EXCHANGED' as const,
      object: INSTANCE,
      environmentId: null,
      requestId,
    },
    principal: { id: principalId, name: principal },
    detail: {
      ...{ token_id: stored.id, principal, expires_at: stored.expires_at, ...scopeDetail(scope) },
      ...{ workload_identity_id: id, issuer, subject: storable(subject), address },
      jti: typeof jti === 'string' ? storable(jti) : null,
    },
  });
  return {
    ...{
      access_token: token,
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
    },
    ...{ expires_in: LIFETIME_S, expires_at: expiresAt.toISOString(), principal },
  };
}

/** A text of the issuer as the database can store it. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').slice(0, MAX_TEXT);
