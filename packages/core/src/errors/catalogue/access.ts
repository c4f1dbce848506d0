import type { ErrorDefinition } from './definition.ts';

/** Requests that cannot be read, are not allowed, or name something that does not exist. */
export const ACCESS_ERRORS = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    cause: 'The path is not percent-encoded UTF-8, or the upload was cut off.',
    remedy: 'Correct the path, or send the upload again. Nothing was changed.',
  },
  'malformed-json': {
    status: 400,
    title: 'Malformed JSON',
    cause: 'The body is not valid UTF-8 JSON.',
    remedy: 'Correct the body.',
  },
  'not-signed-in': {
    status: 401,
    title: 'Not signed in',
    cause:
      'The request has no credential, the credential is mistyped, expired or revoked, or its principal is deactivated.',
    remedy: 'Send `Authorization: Bearer <token>`, or run `svc login`.',
  },
  'sign-in-failed': {
    status: 401,
    title: 'Sign-in failed',
    cause: 'The name or password is wrong, or the account is deactivated. The response is the same in all three cases.',
    remedy: 'Try again, or ask an administrator for a new password.',
  },
  'second-factor-required': {
    status: 401,
    title: 'Second factor required',
    cause: 'The name and the password are right, and the person has a second factor.',
    remedy:
      'Send `second_factor.challenge` of this response with a code, an assertion or a recovery code to `/api/v1/sign-in/second-factor` within five minutes, or run `svc login`. Use a token for clients that cannot.',
  },
  'second-factor-failed': {
    status: 401,
    title: 'Second factor failed',
    cause:
      'The code or the recovery code is wrong or was used before, the security key was not recognized, or the sign-in was started more than five minutes ago.',
    remedy:
      'Sign in again. If you have lost your second factor and the recovery codes, an administrator can remove it: `svc principal remove-second-factors NAME`.',
  },
  'password-change-required': {
    status: 403,
    title: 'Password change required',
    cause: 'Somebody else chose the password of this person, so it must be changed before anything else.',
    remedy: '`svc auth password`',
  },
  'second-factor-setup-required': {
    status: 403,
    title: 'Second factor setup required',
    cause: 'The operator requires a second factor of this person (`SVC_SIGN_IN__SECOND_FACTOR`) before anything else.',
    remedy: '`svc second-factor add NAME`, or add one in the console under Account.',
  },
  'confirmation-required': {
    status: 403,
    title: 'Confirmation required',
    cause: 'Second factors can only be changed in a session, within ten minutes after its sign-in.',
    remedy: 'Sign in again, or enter your password again.',
  },
  'sign-in-refused': {
    status: 401,
    title: 'Sign-in refused',
    cause:
      "The identity provider or the person declined, the provider's answer was rejected, or the identity has no active account here.",
    remedy: 'Sign in again. An administrator finds the reason in the audit log, under the `request_id`.',
  },
  'token-exchange-refused': {
    status: 401,
    title: 'Token exchange refused',
    cause:
      'The token is not valid, or no workload identity with its issuer, audience, subject and claims belongs to an active service account. The response is the same in all cases.',
    remedy: "Compare the token's claims with `svc workload-identity list PRINCIPAL`. The audit log has the reason.",
  },
  'passwords-off': {
    status: 403,
    title: 'Passwords are switched off',
    cause: 'The operator has switched off signing in with passwords (`SVC_SIGN_IN__PASSWORDS=false`).',
    remedy:
      'Sign in with an identity provider (`svc login --provider NAME`) or with a token (`svc login --with-token`).',
  },
  forbidden: {
    status: 403,
    title: 'Access denied',
    cause: 'The caller lacks an action on the object. The denial is recorded in the audit log.',
    remedy: 'An administrator can run the `svc grant create` command in `remedy`.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    cause: 'The object does not exist, or the caller is not allowed to know that it does.',
    remedy: 'Check the name. The message lists similar objects that the caller can see.',
  },
  'no-such-route': {
    status: 404,
    title: 'No such route',
    cause: 'No route matches the method and path.',
    remedy: 'See `/docs/api` for the routes.',
  },
  'environment-deleted': {
    status: 404,
    title: 'Environment deleted',
    cause: 'The environment is deleted. While it can be restored, the message explains how.',
    remedy: '`svc env restore NAME`',
  },
  'nothing-dropped': {
    status: 404,
    title: 'No dropped table with this name',
    cause: 'No table with that name was dropped there, or its files are already deleted.',
    remedy: '`svc table list NAMESPACE --dropped` lists the tables that you can restore.',
  },
  'result-expired': {
    status: 404,
    title: 'Result expired',
    cause: 'Query results are retained for 24 hours.',
    remedy: 'Run the query again.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
} satisfies Record<string, ErrorDefinition>;
