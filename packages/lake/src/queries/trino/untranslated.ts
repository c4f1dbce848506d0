import { QueryRejectedError } from '../query-errors.ts';

const ENGINE = 'while Trino is the query engine';

/** What cannot be written for Trino with the same meaning is refused: no answer is better than a wrong one. */
export function untranslated(what: string): QueryRejectedError {
  return new QueryRejectedError('not-supported', `${what} isn't available ${ENGINE}.`);
}

export function untranslatedFunction(name: string, why = ''): QueryRejectedError {
  return new QueryRejectedError('function-not-allowed', `The function "${name}"${why} isn't available ${ENGINE}.`);
}
