import type { ErrorDefinition } from './definition.ts';

/** Requests with a body, header or parameter that the route does not accept. */
export const REQUEST_ERRORS = {
  'body-too-slow': {
    status: 408,
    title: 'Body too slow',
    cause: 'The body arrived too slowly, or stopped halfway.',
    remedy: 'Send it again.',
  },
  'head-too-large': {
    status: 431,
    title: 'Path and headers too large',
    cause: 'The path and headers together are larger than 16 KiB.',
    remedy: 'Shorten them, for example by removing a filter.',
  },
  'body-too-large': {
    status: 413,
    title: 'Body too large',
    cause: 'The body is larger than the route accepts.',
    remedy: 'Split it into smaller requests.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    cause:
      'The route does not accept this content type, or the body is compressed. The message lists the accepted types.',
    remedy: 'Set `Content-Type`, and send the body uncompressed.',
  },
  'invalid-request': {
    status: 422,
    title: 'Invalid request',
    cause: 'A parameter or body field is unknown, missing or invalid. `errors[]` has one entry for each.',
    remedy: 'Correct the fields in `errors[]`.',
  },
  'invalid-cursor': {
    status: 422,
    title: 'Invalid cursor',
    cause: 'The cursor was not issued by this service, or it belongs to another list, other filters or another limit.',
    remedy: 'Start from the first page.',
  },
  'idempotency-not-supported': {
    status: 422,
    title: 'Idempotency-Key not supported here',
    cause: 'The response contains a secret that is shown only once, so it cannot be stored for repeats.',
    remedy: 'Remove the `Idempotency-Key` header.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency-Key reused with another request',
    cause: 'The key was already used with a different request.',
    remedy: 'Use a new key for each new request.',
  },
  'not-a-managed-table': {
    status: 422,
    title: 'Not a managed table',
    cause: 'The operation works only on managed tables.',
    remedy: 'Choose a managed table.',
  },
} satisfies Record<string, ErrorDefinition>;
