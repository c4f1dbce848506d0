import { parse } from 'lossless-json';
import { GuardError, type Node } from './guard-error.ts';

/** The parser's JSON text as a tree, with numbers as written. @throws GuardError `parse-error` */
export function parseTree(serialized: string): Node {
  try {
    return parse(serialized) as Node;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The parser writes a number such as 1e400 as Infinity, which JSON doesn't have.
    throw new GuardError('parse-error', 'The query contains a number that is too large for a double.');
  }
}
