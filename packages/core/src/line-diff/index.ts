export { type DiffLine, diffLines, hunksOf } from './line-diff.ts';
