import type { Failure } from './api-error.ts';

/** The failure of work that somebody cancelled. */
export const cancelled = (what: 'query' | 'run' | 'clone'): Failure => ({
  code: 'cancelled',
  detail: `The ${what} was cancelled.`,
  remedy: null,
});
