import type { ErrorDefinition } from './definition.ts';

/** Requests that the service cannot serve now. */
export const SERVICE_ERRORS = {
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    cause: 'Too many failed sign-ins, or too many requests with one token.',
    remedy: 'Try again after `Retry-After` seconds.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    cause: 'The service failed unexpectedly.',
    remedy: 'The operator finds the cause in the log under the `request_id`.',
  },
  'activity-not-recorded': {
    status: 503,
    title: 'Activity could not be recorded',
    cause: "Viewing other people's activity is audited. The audit log could not be written, so nothing is shown.",
    remedy: 'Try again after `Retry-After` seconds.',
  },
  'shutting-down': {
    status: 503,
    title: 'Shutting down',
    cause: 'The server is shutting down.',
    remedy: 'Try again after `Retry-After` seconds.',
  },
  'database-unavailable': {
    status: 503,
    title: 'Database unavailable',
    cause: 'The database does not respond. Nothing was changed, unless the detail says that the connection was lost.',
    remedy: 'Try again after `Retry-After` seconds. Send changes with the same Idempotency-Key.',
  },
  'provider-unavailable': {
    status: 503,
    title: 'Identity provider unavailable',
    cause: 'The identity provider does not respond, or not as a provider does.',
    remedy: 'Try again in a moment, or sign in another way.',
  },
  'storage-unavailable': {
    status: 503,
    title: 'Storage unavailable',
    cause:
      'The storage of the service or of the environment does not respond, or rejects its keys. The message has the reason. Nothing is lost.',
    remedy:
      "Try again when the storage is back. For an environment's own storage, set its secret again (`svc secret rotate`) or repair the bucket.",
  },
  'storage-full': {
    status: 507,
    title: 'Storage full',
    cause: 'The disk of the service or of its database is full. Nothing was changed.',
    remedy: 'Ask the operator to free some space, then send the request again.',
  },
} satisfies Record<string, ErrorDefinition>;
