export { errorPosition } from './error-position.ts';
export { MAX_PARAMETERS, PARAMETER_NAME, parametersIn } from './parameters.ts';
export { QUOTED_KEYWORDS } from './postgres-keywords.ts';
export { quotedPart } from './quoted-part.ts';
export {
  firstWord,
  nameOf,
  SqlSyntaxError,
  type Token,
  type TokenizedStatement,
  tokenize,
  tryTokenize,
  withoutSemicolon,
  writtenName,
} from './tokens.ts';
