import { SvcError } from '@svc/sdk/browser';

/** Someone else has changed it since it was read. */
export const isConflict = (error: unknown): boolean => error instanceof SvcError && error.code === 'version-conflict';
export const isMissing = (error: unknown): boolean => error instanceof SvcError && error.status === 404;
/** The same request is refused again, and each refusal is an event of the audit log. */
export const isForbidden = (error: unknown): boolean => error instanceof SvcError && error.status === 403;
