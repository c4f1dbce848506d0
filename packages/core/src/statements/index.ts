export { type CloneStatement, clonedTable, parseClone } from './clone.ts';
export {
  type Assignment,
  changedTable,
  type MergeClause,
  parametersIn,
  parseRowChange,
  type RowChange,
} from './row-change.ts';
export { type ShowStatement, showStatement } from './show.ts';
export { SqlSyntaxError, type Token, tokenize } from './tokens.ts';
