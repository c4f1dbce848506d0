export { lastSequence, type NumberedChange, readChanges } from './read-changes.ts';
export { type Progress, readActiveRuns, readProgress } from './read-progress.ts';
