/**
 * Every error that the API returns: code (stable, kebab-case), status and title. The code that detects an error writes
 * its message with cause and remedy; internal causes go to the log only.
 */
export const ERRORS = {
  // 400
  'malformed-request': { status: 400, title: 'Malformed request' },
  'malformed-json': { status: 400, title: 'Malformed JSON' },
  // 401
  'not-signed-in': { status: 401, title: 'Not signed in' },
  'sign-in-failed': { status: 401, title: 'Sign-in failed' },
  // 403
  forbidden: { status: 403, title: 'Access denied' },
  // 404
  'not-found': { status: 404, title: 'Not found' },
  'no-such-route': { status: 404, title: 'No such route' },
  'environment-deleted': { status: 404, title: 'Environment deleted' },
  'nothing-dropped': { status: 404, title: 'No dropped table with this name' },
  'result-expired': { status: 404, title: 'Result expired' },
  // 405
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  // 409
  'already-exists': { status: 409, title: 'Already exists' },
  'name-held-by-deleted': { status: 409, title: 'Name reserved by a deleted environment' },
  'duplicate-grant': { status: 409, title: 'Already granted' },
  'last-admin': { status: 409, title: 'Last administrator' },
  'environment-protected': { status: 409, title: 'Environment is protected' },
  'namespace-not-empty': { status: 409, title: 'Namespace is not empty' },
  'project-busy': { status: 409, title: 'Project is busy' },
  'ambiguous-job': { status: 409, title: 'Several repositories declare the job' },
  'no-run-principal': { status: 409, title: 'No run principal' },
  'not-deployed': { status: 409, title: 'Not deployed' },
  'already-ended': { status: 409, title: 'Already finished' },
  'not-ended': { status: 409, title: 'Not finished yet' },
  'nothing-to-retry': { status: 409, title: 'Nothing to retry' },
  'no-schedule': { status: 409, title: 'No schedule' },
  'write-conflict': { status: 409, title: 'Changed by another writer' },
  'idempotency-key-in-use': { status: 409, title: 'First request still in progress' },
  'in-use': { status: 409, title: 'In use' },
  'name-taken': { status: 409, title: 'Name taken by another table' },
  'undo-period-over': { status: 409, title: 'Undo period is over' },
  'dropped-with-purge': { status: 409, title: 'Dropped with purge' },
  'purge-started': { status: 409, title: 'Deletion of files has started' },
  'files-gone': { status: 409, title: 'Files are missing from storage' },
  'namespace-dropped': { status: 409, title: 'Namespace was dropped' },
  'not-deleted': { status: 409, title: 'Environment is not deleted' },
  'table-held': { status: 409, title: 'Table is under a legal hold' },
  'not-held': { status: 409, title: 'Table has no legal hold' },
  'quota-exceeded': { status: 409, title: 'Quota exceeded' },
  // 408, 413, 415, 431
  'body-too-slow': { status: 408, title: 'Body too slow' },
  'head-too-large': { status: 431, title: 'Path and headers too large' },
  'body-too-large': { status: 413, title: 'Body too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  // 422
  'invalid-request': { status: 422, title: 'Invalid request' },
  'invalid-cursor': { status: 422, title: 'Invalid cursor' },
  'idempotency-not-supported': { status: 422, title: 'Idempotency-Key not supported here' },
  'idempotency-key-reused': { status: 422, title: 'Idempotency-Key reused with another request' },
  'not-a-managed-table': { status: 422, title: 'Not a managed table' },
  // 429, 5xx
  'too-many-requests': { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  'activity-not-recorded': { status: 503, title: 'Activity could not be recorded' },
  'shutting-down': { status: 503, title: 'Shutting down' },
  'database-unavailable': { status: 503, title: 'Database unavailable' },
  'storage-unavailable': { status: 503, title: 'Storage unavailable' },
  'storage-full': { status: 507, title: 'Storage full' },
} as const;

export type ErrorCode = keyof typeof ERRORS;
