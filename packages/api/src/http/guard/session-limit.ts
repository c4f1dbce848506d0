import { decide, INSTANCE } from '@svc/core/access';
import type { AnyEndpoint, Need, SessionLimit } from '@svc/core/contract';
import type { Caller } from '@svc/db/access';
import type { Context } from '../context.ts';
import { AccessDeniedError } from './denial.ts';

const REFUSALS = {
  'change-password': {
    code: 'password-change-required',
    reason: 'the password must be changed first',
    detail: 'Somebody else has chosen your password. Change it first: svc auth password',
    remedy: 'svc auth password',
  },
  'add-second-factor': {
    code: 'second-factor-setup-required',
    reason: 'a second factor must be added first',
    detail: 'This service requires a second factor. Add one first: svc second-factor add NAME, or in the console.',
    remedy: 'svc second-factor add NAME',
  },
} as const;

interface Session extends Pick<Context, 'grants' | 'deps'> {
  caller: Pick<Caller, 'must_change_password'> & { token: Pick<Caller['token'], 'sign_in'> };
}

/**
 * What the caller must do before the session can do anything else; null for a session without a limit. Sessions of identity providers
 * and tokens have none. Evaluated for each request, so that a new grant of ADMIN or a changed setting also limits open sessions.
 */
export function sessionLimit({ caller, grants, deps }: Session): SessionLimit | null {
  const { sign_in: method } = caller.token;
  if (method === null || method === 'provider') return null;
  if (caller.must_change_password) return 'change-password';
  const mode = deps.settings.secondFactor;
  if (method === 'second-factor' || mode === 'optional') return null;
  const isRequired = mode === 'required' || decide(grants, 'MANAGE_TOKEN', INSTANCE).allowed;
  return isRequired ? 'add-second-factor' : null;
}

/** What a request is for, and the token that has sent it. */
interface Request extends Session, Pick<Context, 'target'> {
  caller: Session['caller'] & { token: Pick<Caller['token'], 'id'> };
  params?: unknown;
}

/** @throws AccessDeniedError for an endpoint that the caller's session doesn't admit yet */
export function requireUnlimited(ctx: Request, { needs }: Pick<AnyEndpoint, 'needs'>): void {
  const limit = sessionLimit(ctx);
  if (limit === null || admits(needs, limit, ctx)) return;
  const { code, reason, detail, remedy } = REFUSALS[limit];
  throw new AccessDeniedError({ action: null, object: ctx.target, reason }, { code, detail, remedy });
}

function admits(needs: Need, limit: SessionLimit, { caller, params }: Request): boolean {
  if (needs.kind === 'signed-in') return needs.limitedSessions?.includes(limit) ?? false;
  const { id } = (params ?? {}) as { id?: string };
  return needs.kind === 'decided' && needs.endsItself === true && id === caller.token.id;
}
