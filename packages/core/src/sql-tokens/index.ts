export { firstWord, SqlSyntaxError, type Token, tokenize } from './tokens.ts';
