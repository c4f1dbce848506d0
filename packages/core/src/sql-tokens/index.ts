export { MAX_PARAMETERS, PARAMETER_NAME } from './parameters.ts';
export { QUOTED_WORDS } from './postgres-words.ts';
export { quotedPart } from './quoted-part.ts';
export {
  firstWord,
  SqlSyntaxError,
  type Token,
  type TokenizedStatement,
  tokenize,
  tryTokenize,
} from './tokens.ts';
