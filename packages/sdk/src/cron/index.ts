// The service's own cron rules, for programs that show when a schedule fires (specification 2.8).
export {
  type Cron,
  type CronProblem,
  isKnownZone,
  likelyZone,
  localText,
  neverFires,
  nextTime,
  parseCron,
} from '@svc/core/jobs';
