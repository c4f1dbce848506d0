export {
  JOB_STATES,
  type Job,
  type JobSchedule,
  type JobState,
  jobEndpoints,
  jobSchema,
  triggerSchema,
  waitingSchema,
} from './contract.ts';
export * from './cron.ts';
export * from './next-time.ts';
export {
  type BoundPrincipal,
  bindPrincipalCommand,
  chooseRunPrincipal,
  type PrincipalChoice,
  type PrincipalQuestion,
} from './run-principal.ts';
export * from './scheduled-times.ts';
export { type JobSituation, jobState } from './state.ts';
export { isKnownZone, likelyZone, localText, zoneDatabaseVersion } from './zones.ts';
