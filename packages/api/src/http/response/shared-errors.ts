import { ApiError } from '@svc/core/errors';

/** The error for cancelling work that has already finished; `status` is the one in the record. */
export function alreadyFinished(what: 'run' | 'query', status: string): ApiError {
  const word = status.toLowerCase();
  return new ApiError(
    'already-ended',
    `The ${what} has already finished: it ${word === 'cancelled' ? 'was cancelled' : word}.`,
  );
}

/** The command that helps after an error. */
export interface NextCommand {
  /** What it does, as an infinitive. */
  readonly to: string;
  readonly run: string;
}

/** 404 with the same wording for every kind of object. */
export function notFound(what: string, name: string, hint: string | NextCommand = 'Check the name.'): ApiError {
  const missing = `There is no ${what} ${name}.`;
  if (typeof hint === 'string') return new ApiError('not-found', `${missing} ${hint}`);
  return new ApiError('not-found', `${missing} To ${hint.to}: ${hint.run}`, { remedy: hint.run });
}
