export { MAX_PARAMETERS, PARAMETER_NAME } from './parameters.ts';
export { QUOTED_KEYWORDS } from './postgres-keywords.ts';
export { quotedPart } from './quoted-part.ts';
export {
  firstWord,
  SqlSyntaxError,
  type Token,
  type TokenizedStatement,
  tokenize,
  tryTokenize,
} from './tokens.ts';
