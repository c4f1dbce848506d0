// The service's own cron rules, for programs that show when a schedule fires (CRON-1 to CRON-7).
export {
  type Cron,
  type CronFailure,
  type DaylightNote,
  isKnownZone,
  likelyZone,
  localText,
  neverFires,
  nextTime,
  parseCron,
  type ScheduledTime,
  scheduledTimes,
} from '@svc/core/jobs';
