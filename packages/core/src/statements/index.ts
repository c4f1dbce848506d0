export { type CloneStatement, clonedTable, parseClone } from './clone.ts';
export { explainedStatement } from './explain.ts';
export { nameParts } from './qualified-name.ts';
export {
  type Assignment,
  type ChangedName,
  changedName,
  changedTable,
  type MergeClause,
  parametersIn,
  parseRowChange,
  type RowChange,
} from './row-change.ts';
export { type ShowStatement, showStatement } from './show.ts';
