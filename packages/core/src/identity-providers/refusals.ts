/** What the page of a failed sign-in, or the error of one on a device, says. It never says more than the person may know; the audit log has the reason. */
export const SIGN_IN_FAILURES = {
  cancelled: {
    title: 'The sign-in was cancelled',
    cause: 'The identity provider reported that you, or its rules, declined the sign-in.',
    remedy: 'Sign in again. If it was not you, ask the administrator of the identity provider.',
  },
  expired: {
    title: 'The sign-in was not completed',
    cause: 'It took too long, was started in another browser or tab, or was already completed.',
    remedy: 'Sign in again. A browser must accept cookies of this service.',
  },
  invalid: {
    title: 'The answer of the identity provider was rejected',
    cause: 'It does not match this sign-in, or the provider is not set up correctly.',
    remedy: 'Sign in again. If it fails again, send the request id to an administrator.',
  },
  refused: {
    title: 'You have no access here',
    cause: 'Your identity is not linked to an active account of this service, and none could be created.',
    remedy: 'Send the request id to an administrator, who finds the reason in the audit log.',
  },
  unsupported: {
    title: 'The identity provider does not sign in devices',
    cause: 'It has no device authorization, or this service may not use it.',
    remedy: 'Sign in to the console and issue a token there, then run svc login --with-token.',
  },
  unavailable: {
    title: 'The identity provider does not respond',
    cause: 'The service could not reach it, or it returned an error.',
    remedy: 'Try again in a moment, or sign in another way.',
  },
  throttled: {
    title: 'Too many failed sign-ins',
    cause: 'Too many sign-ins from your network have failed.',
    remedy: 'Try again in 15 minutes.',
  },
} as const;
export type SignInFailure = keyof typeof SIGN_IN_FAILURES;

/** Why a sign-in failed, as the audit log has it, and what its page says. */
export const REFUSAL_REASONS = {
  cancelled: 'cancelled',
  expired: 'expired',
  'no-cookie': 'expired',
  'state-mismatch': 'expired',
  'unknown-provider': 'invalid',
  'response-invalid': 'invalid',
  'code-rejected': 'invalid',
  'token-invalid': 'invalid',
  'groups-left-out': 'invalid',
  'device-unsupported': 'unsupported',
  'provider-unavailable': 'unavailable',
  'secret-unreadable': 'unavailable',
  deactivated: 'refused',
  'unknown-person': 'refused',
  'email-missing': 'refused',
  'email-unverified': 'refused',
  'email-domain': 'refused',
  'linked-to-another': 'refused',
  unlinked: 'refused',
  'name-taken': 'refused',
  'no-name': 'refused',
  'last-admin': 'refused',
  'unknown-workload': 'refused',
  'several-principals': 'refused',
  'scope-exceeded': 'refused',
} as const satisfies Record<string, SignInFailure>;
export type RefusalReason = keyof typeof REFUSAL_REASONS;
