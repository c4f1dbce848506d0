export { deleteDue } from './delete-due.ts';
export type { SweepDeps } from './sweep-deps.ts';
