import { QueryRejectedError } from '../queries/query-errors.ts';

const ENGINE = 'while Trino is the query engine';

/** Rejects anything that can't be translated for Trino with the same meaning: an error is better than a wrong result. */
export function untranslated(construct: string): QueryRejectedError {
  return new QueryRejectedError('not-supported', `${construct} isn't available ${ENGINE}.`);
}

export function untranslatedFunction(name: string, why = ''): QueryRejectedError {
  return new QueryRejectedError('function-not-allowed', `The function "${name}"${why} isn't available ${ENGINE}.`);
}
