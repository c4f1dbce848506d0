import { tokenize } from './tokens.ts';

/** The values that a statement may have. */
export const MAX_PARAMETERS = 1000;

/** A name after `$`, or the number of a parameter from 1. */
export const PARAMETER_NAME = /^(?:[A-Za-z_][A-Za-z0-9_]{0,127}|[1-9][0-9]{0,3})$/;

/** The names of the parameters in a text, in lower case and without the dollar sign. */
export function parametersIn(sql: string): ReadonlySet<string> {
  const parameters = tokenize(sql).tokens.filter(({ kind }) => kind === 'parameter');
  return new Set(parameters.map(({ text }) => text.slice(1).toLowerCase()));
}
