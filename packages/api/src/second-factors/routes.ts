import { ApiError, invalid } from '@svc/core/errors';
import {
  secondFactorEndpoints as endpoints,
  MAX_SECOND_FACTORS,
  makeRecoveryCode,
  normalRecoveryCode,
  RECOVERY_CODES,
  type SecondFactor,
} from '@svc/core/second-factors';
import { confirmSession, revokeSessions, setSignInMethod } from '@svc/db/access';
import {
  addSecondFactor,
  countRecoveryCodes,
  hasSecondFactor,
  listSecondFactors,
  removeSecondFactors,
  renameSecondFactor,
  replaceRecoveryCodes,
  type StoredSecondFactor,
  secondFactorRecord,
  totpSecretRow,
} from '@svc/db/second-factors';
import { seal } from '@svc/db/secrets';
import { withOwnPassword } from '../access/own-password.ts';
import { requirePrincipal } from '../access/principals.ts';
import type { Context } from '../http/context.ts';
import { sessionLimit } from '../http/guard/session-limit.ts';
import { sha256 } from '../http/keys.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route, routeWithoutTransaction } from '../http/route.ts';
import { credentialsOf } from './challenge.ts';
import { requireConfirmed, requireOwnFactor } from './require-confirmed.ts';
import { type Enrolment, openFor, sealFor } from './sealed.ts';
import { createdCredential, creationOptions, type Json } from './security-keys.ts';
import { newTotpSecret, totpStep, totpUri } from './totp.ts';

const confirm = routeWithoutTransaction(
  endpoints.confirm,
  async (ctx) =>
    withOwnPassword(ctx as Context, ctx.body.current_password, () =>
      confirmSession(ctx.db, { id: ctx.caller.token.id, now: ctx.now }),
    ),
  { needsNoTransaction: () => true },
);

const list = route(endpoints.list, async (ctx) => ({
  factors: (await listSecondFactors(ctx.db, ctx.caller.id)).map(secondFactorRecord),
  recovery_codes_left: await countRecoveryCodes(ctx.db, ctx.caller.id),
  required: sessionLimit(ctx as Context) === 'add-second-factor',
}));

const startTotp = route(endpoints.startTotp, async (ctx) => {
  await requireConfirmed(ctx as Context);
  requirePerson(ctx as Context);
  const secret = newTotpSecret(ctx.deps.random);
  const { enrolment, expires_at } = await sealEnrolment(ctx as Context, { secret });
  return { enrolment, secret, uri: totpUri(secret, ctx.caller.name), expires_at };
});

const startSecurityKey = route(endpoints.startSecurityKey, async (ctx) => {
  await requireConfirmed(ctx as Context);
  requirePerson(ctx as Context);
  const signed = Buffer.from(ctx.deps.random(32)).toString('base64url');
  const known = credentialsOf(await listSecondFactors(ctx.db, ctx.caller.id));
  const options = await creationOptions(ctx.deps, ctx.req, { person: ctx.caller, known, signed });
  return { ...(await sealEnrolment(ctx as Context, { signed })), options };
});

function requirePerson({ caller }: Context): void {
  if (caller.type !== 'person') throw invalid({ pointer: '' }, 'a service account signs in with tokens only');
}

async function sealEnrolment(ctx: Context, started: Pick<Enrolment, 'secret' | 'signed'>) {
  const contents = { ...started, tokenId: ctx.caller.token.id, id: ctx.deps.newId() };
  const { text, expires_at } = await sealFor(ctx.deps, 'enrolment', contents, ctx.now);
  return { enrolment: text, expires_at };
}

const add = route(endpoints.add, async (ctx) => {
  const { name, enrolment, code, credential } = ctx.body;
  const { caller, deps, now } = ctx;
  const started = await openFor(deps, 'enrolment', enrolment, now);
  if (started === null || started.tokenId !== caller.token.id)
    throw invalid({ pointer: '/enrolment' }, 'is not of this session, or was started more than ten minutes ago');
  // One at a time counts them.
  await requirePrincipal(ctx.db, caller.name, 'update');
  const before = await listSecondFactors(ctx.db, caller.id);
  // Another session may have added the first one, and revoked this session, since this request was authenticated.
  await requireOwnFactor(ctx as Context);
  if (before.length >= MAX_SECOND_FACTORS)
    throw invalid({ pointer: '/name' }, `you have ${MAX_SECOND_FACTORS} second factors, the most that are possible`);
  const proven = await provenFactor(ctx as Context, started, { code, credential });
  const isAdded = await addSecondFactor(ctx.db, { id: started.id, principalId: caller.id, name, now, ...proven });
  if (!isAdded)
    throw new ApiError('already-exists', `You have a second factor ${name}, or this one was added already.`);
  if (caller.token.sign_in !== 'provider')
    await setSignInMethod(ctx.db, { id: caller.token.id, method: 'second-factor' });
  const isFirst = before.length === 0;
  const recovery_codes = isFirst ? await newRecoveryCodes(ctx as Context) : [];
  if (isFirst) await revokeSessions(ctx.db, { principalId: caller.id, except: caller.token.id, by: caller.id, now });
  const factor = secondFactorRecord(await requireFactor(ctx as Context, started.id));
  await ctx.audit({ type: 'SECOND_FACTOR_ADDED', detail: detailOf(caller.name, factor) });
  return { factor, recovery_codes };
});

type Proven =
  | Pick<Extract<Parameters<typeof addSecondFactor>[1], { kind: 'totp' }>, 'kind' | 'secret' | 'step'>
  | Pick<Extract<Parameters<typeof addSecondFactor>[1], { kind: 'security-key' }>, 'kind' | 'credential'>;

/** What is stored of a new second factor, which the person has shown to have. */
async function provenFactor(
  { deps, req, now }: Context,
  { id, secret, signed }: Enrolment,
  { code, credential }: { code?: string | undefined; credential?: Json | undefined },
): Promise<Proven> {
  if (secret !== undefined) {
    const step = code === undefined ? null : totpStep(secret, code, now);
    if (step === null)
      throw invalid({ pointer: '/code' }, 'is not the code that the app shows now; check the clock of the device');
    return { kind: 'totp', secret: seal(deps.sealing, totpSecretRow(id), { secret }, deps.random), step };
  }
  const created =
    credential === undefined || signed === undefined
      ? null
      : await createdCredential(deps, req, { credential, signed });
  if (created === null) throw invalid({ pointer: '/credential' }, 'is not a response to this enrolment');
  return { kind: 'security-key', credential: created };
}

async function newRecoveryCodes({ db, deps, caller }: Context): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => makeRecoveryCode(deps.random));
  const hashed = codes.map((text) => ({ id: deps.newId(), hash: sha256(normalRecoveryCode(text)) }));
  await replaceRecoveryCodes(db, { principalId: caller.id, codes: hashed });
  return codes;
}

const detailOf = (principal: string, { id, name, kind }: Pick<SecondFactor, 'id' | 'name' | 'kind'>) => ({
  principal,
  second_factor_id: id,
  name,
  kind,
});

/** @throws ApiError `not-found` for one that isn't the caller's */
async function requireFactor(ctx: Context, id: string): Promise<StoredSecondFactor> {
  const factor = (await listSecondFactors(ctx.db, ctx.caller.id)).find((known) => known.id === id);
  if (factor === undefined) throw notFound('second factor', id);
  return factor;
}

const rename = route(endpoints.rename, async (ctx) => {
  await requireConfirmed(ctx as Context);
  const factor = await requireFactor(ctx as Context, ctx.params.id);
  const { name } = ctx.body;
  if (!(await renameSecondFactor(ctx.db, { id: factor.id, name })))
    throw new ApiError('already-exists', `You have another second factor ${name}. Choose another name.`);
  const renamed = secondFactorRecord({ ...factor, name });
  const detail = { ...detailOf(ctx.caller.name, renamed), previous_name: factor.name };
  await ctx.audit({ type: 'SECOND_FACTOR_RENAMED', detail });
  return renamed;
});

/** What ends with the last second factor of a person. A lost device may have open sessions, too. */
async function forgetSecondFactors({ db, caller, now }: Context, principalId: string): Promise<void> {
  const { id, sign_in } = caller.token;
  await replaceRecoveryCodes(db, { principalId, codes: [] });
  await revokeSessions(db, { principalId, except: id, by: caller.id, now });
  // Where one is required, the session can now only add another one.
  if (caller.id === principalId && sign_in === 'second-factor') await setSignInMethod(db, { id, method: 'password' });
}

const remove = route(endpoints.remove, async (ctx) => {
  await requireConfirmed(ctx as Context);
  await requirePrincipal(ctx.db, ctx.caller.name, 'update');
  const factor = await requireFactor(ctx as Context, ctx.params.id);
  await removeSecondFactors(ctx.db, [factor.id]);
  if (!(await hasSecondFactor(ctx.db, ctx.caller.id))) await forgetSecondFactors(ctx as Context, ctx.caller.id);
  await ctx.audit({ type: 'SECOND_FACTOR_REMOVED', detail: detailOf(ctx.caller.name, factor) });
  return undefined;
});

const replaceCodes = route(endpoints.replaceRecoveryCodes, async (ctx) => {
  await requireConfirmed(ctx as Context);
  await requirePrincipal(ctx.db, ctx.caller.name, 'update');
  if (!(await hasSecondFactor(ctx.db, ctx.caller.id)))
    throw notFound('second factor', `of ${ctx.caller.name}`, { to: 'add one', run: 'svc second-factor add NAME' });
  const recovery_codes = await newRecoveryCodes(ctx as Context);
  await ctx.audit({ type: 'RECOVERY_CODES_REPLACED', detail: { principal: ctx.caller.name } });
  return { recovery_codes };
});

const removeOfOther = route(endpoints.removeOfOther, async (ctx) => {
  const { id, name } = await requirePrincipal(ctx.db, ctx.params.name, 'update');
  const factors = await listSecondFactors(ctx.db, id);
  if (factors.length === 0) throw notFound('second factor', `of ${name}`);
  await removeSecondFactors(
    ctx.db,
    factors.map((factor) => factor.id),
  );
  await forgetSecondFactors(ctx as Context, id);
  for (const factor of factors) await ctx.audit({ type: 'SECOND_FACTOR_REMOVED', detail: detailOf(name, factor) });
  return undefined;
});

export const secondFactorRoutes: Route[] = [
  confirm,
  list,
  startTotp,
  startSecurityKey,
  add,
  rename,
  remove,
  replaceCodes,
  removeOfOther,
];
