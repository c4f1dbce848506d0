export { type CloneStatement, clonedTable, parseClone } from './clone.ts';
export { explainedStatement } from './explain.ts';
export { changedName, changedTable, parseRowChange } from './parse-row-change.ts';
export type { Assignment, ChangedName, MergeClause, RowChange } from './row-change.ts';
export { type ShowStatement, showStatement } from './show.ts';
export { nameParts } from './table-name.ts';
