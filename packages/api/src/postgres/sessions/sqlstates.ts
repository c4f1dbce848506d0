import type { FailureCode } from '@svc/core/errors';

/** The SQLSTATE of each error code of a statement or of the REST interface that a session can meet. */
const SQLSTATES: Readonly<Partial<Record<FailureCode, string>>> = {
  // Statements
  'parse-error': '42601',
  'wrong-parameters': '42P02',
  'not-a-select': '0A000',
  'ambiguous-change': '21000',
  'function-not-allowed': '42883',
  'not-supported': '0A000',
  'table-not-found': '42P01',
  'version-not-found': '42P01',
  'policy-invalid': '42P17',
  'view-invalid': '42P17',
  'binder-error': '42703',
  'column-mismatch': '42804',
  'null-not-allowed': '23502',
  'execution-error': '22000',
  timeout: '57014',
  cancelled: '57014',
  'out-of-memory': '53200',
  'disk-full': '53100',
  'engine-died': '58000',
  'engine-unavailable': '58000',
  'worker-lost': '58000',
  'write-conflict': '40001',
  // Loads
  'file-malformed': '22P04',
  'unknown-column': '42703',
  'missing-column': '42703',
  'wrong-type': '42804',
  'wrong-value': '22P02',
  'too-many-rejected-lines': '22P04',
  // Access and limits
  'not-allowed': '42501',
  forbidden: '42501',
  'not-signed-in': '28000',
  'sign-in-failed': '28P01',
  'passwords-off': '28000',
  'second-factor-required': '28000',
  'second-factor-setup-required': '28000',
  'password-change-required': '28000',
  'environment-protected': '42501',
  'environment-deleted': '3D000',
  'not-found': '42704',
  'already-exists': '42P07',
  'table-held': '55006',
  'quota-exceeded': '53100',
  'too-many-requests': '53400',
  'invalid-request': '22023',
  'malformed-request': '08P01',
  'body-too-large': '54000',
  'body-too-slow': '57014',
  'result-expired': '55000',
  'shutting-down': '57P01',
  'database-unavailable': '58000',
  'storage-unavailable': '58030',
  'storage-full': '53100',
};

const INTERNAL = 'XX000';

/** @param code an error code of the service */
export const sqlState = (code: string): string =>
  Object.hasOwn(SQLSTATES, code) ? SQLSTATES[code as FailureCode]! : INTERNAL;
