import type { Job } from '@svc/sdk';
import { isKnownZone, localText, nextTime, parseCron } from '@svc/sdk/cron';
import { time } from '../output/format.ts';
import { nextRun } from './job-text.ts';

const PREVIEWED = 5;

/** The next times of a job's schedule in its time zone, starting with the one from the service; empty without a next run. */
export function nextRuns(job: Job): string[] {
  if (job.next_run_at === null || job.cron === null || job.timezone === null) return [];
  const times = [nextRun(job)];
  const parsed = parseCron(job.cron);
  // A newer service may support cron expressions and time zones that this version doesn't know.
  if (!parsed.ok || !isKnownZone(job.timezone)) return times;
  for (let at = nextTime(parsed.cron, job.timezone, new Date(job.next_run_at)); at !== null; ) {
    if (times.length === PREVIEWED) break;
    times.push(time(localText(at, job.timezone)));
    at = nextTime(parsed.cron, job.timezone, at);
  }
  return times;
}
