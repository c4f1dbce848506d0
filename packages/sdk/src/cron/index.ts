// The service's own cron rules, for programs that show when a schedule fires (CRON-1 to CRON-7).
export {
  type Cron,
  type CronFailure,
  isKnownZone,
  likelyZone,
  localText,
  neverFires,
  nextTime,
  parseCron,
} from '@svc/core/jobs';
