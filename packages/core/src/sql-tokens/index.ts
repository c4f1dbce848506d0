export {
  firstWord,
  SqlSyntaxError,
  type Token,
  type TokenizedStatement,
  tokenize,
  tryTokenize,
} from './tokens.ts';
