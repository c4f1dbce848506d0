import type { RefusalReason } from '@svc/core/identity-providers';

/** A sign-in with an identity provider that fails for a reason that the audit log records. */
export class RefusedSignInError extends Error {
  override name = 'RefusedSignInError';
  readonly reason: RefusalReason;
  /** The name of the principal that the identity is linked to, if that is known. */
  readonly principal: string | null;

  constructor(reason: RefusalReason, { principal = null, cause }: { principal?: string | null; cause?: unknown } = {}) {
    super(`the sign-in was refused: ${reason}`, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.principal = principal;
  }
}
