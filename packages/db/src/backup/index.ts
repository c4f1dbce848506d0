export { type Dump, loadDatabase, RestoreError } from './load-database.ts';
export { isBackupUnderWay, tryLockBackups } from './lock.ts';
export { openSnapshot, type Snapshot } from './snapshot.ts';
