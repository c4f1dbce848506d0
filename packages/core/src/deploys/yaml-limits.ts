import { Lexer, Parser } from 'yaml';

/** Far deeper than any real project. */
const MAX_LEVELS = 64;

/**
 * Far beyond any real project. The limits bound quadratic work: mapping keys are compared with each other, aliases with
 * all nodes.
 */
const MAX_CHARACTERS = 256 * 1024;
const MAX_LEXEMES = 30_000;
const MAX_ALIASES = 50;

/**
 * Lexemes that don't correspond to characters of the text: the start of a document or a scalar, and an error in a flow
 * collection.
 */
const MARKS = new Set(['\u0002', '\u001f', '\u0018']);

interface LimitExcess {
  readonly at: number;
  readonly message: string;
  readonly remedy: string;
}

/**
 * The first place at which a text exceeds the limits, or null. Composing and visiting nodes is recursive, and a stack
 * overflow there can crash the whole process; the low-level parser used here has its own stack.
 */
export function findExcess(text: string): LimitExcess | null {
  if (text.length > MAX_CHARACTERS) {
    return { at: 0, message: `the YAML has more than ${MAX_CHARACTERS} characters`, remedy: 'make it shorter' };
  }
  const parser = new Parser();
  let [at, lexemes, aliases] = [0, 0, 0];
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (!MARKS.has(lexeme)) at += lexeme.length;
    if (parser.stack.length > MAX_LEVELS)
      return { at, message: `nested more than ${MAX_LEVELS} levels deep`, remedy: 'write it with fewer levels' };
    if (++lexemes > MAX_LEXEMES)
      return { at, message: `the YAML has more than ${MAX_LEXEMES} parts`, remedy: 'split the project' };
    if (lexeme[0] === '*' && ++aliases > MAX_ALIASES)
      return { at, message: `the YAML has more than ${MAX_ALIASES} aliases`, remedy: 'write the values out' };
  }
  return null;
}
