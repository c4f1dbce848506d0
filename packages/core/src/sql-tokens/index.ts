export { MAX_PARAMETERS, PARAMETER_NAME } from './parameters.ts';
export {
  firstWord,
  SqlSyntaxError,
  type Token,
  type TokenizedStatement,
  tokenize,
  tryTokenize,
} from './tokens.ts';
