export { lastSequence, type NumberedChange, readChanges, sequenceBefore } from './read-changes.ts';
export { type Progress, readActiveRuns, readProgress } from './read-progress.ts';
