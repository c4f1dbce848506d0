import { Lexer, Parser } from 'yaml';

/** No project nests as deep as this. */
const MAX_LEVELS = 64;

/** Nor is any as long, or has as many parts: keys of a mapping are compared with each other, aliases with all nodes. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_LEXEMES = 30_000;
const MAX_ALIASES = 50;

/** Lexemes that stand for no character of the text: the beginning of a document and of a scalar, an error in a list. */
const MARKS = new Set(['\u0002', '\u001f', '\u0018']);

interface Excess {
  readonly at: number;
  readonly message: string;
  readonly remedy: string;
}

/**
 * Where a text is more than may be composed, or null. What composes and visits the nodes calls itself for each level, and
 * a stack that is all but used up can end the whole process; the parser below it keeps its own.
 */
export function excessOf(text: string): Excess | null {
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
