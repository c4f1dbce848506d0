import type { Job } from '@svc/sdk';
import { isKnownZone, localText, nextTime, parseCron } from '@svc/sdk/cron';
import { time } from '../output/format.ts';
import { nextRun } from './job-text.ts';

const PREVIEWED = 5;

/** The next times of a job's schedule in its zone, the service's own first; none while it has no next run. */
export function nextRuns(job: Job): string[] {
  if (job.next_run_at === null || job.cron === null || job.timezone === null) return [];
  const times = [nextRun(job)];
  const parsed = parseCron(job.cron);
  // A newer service may know cron texts and zones that this program does not.
  if (!parsed.ok || !isKnownZone(job.timezone)) return times;
  for (let at = nextTime(parsed.cron, job.timezone, new Date(job.next_run_at)); at !== null; ) {
    if (times.length === PREVIEWED) break;
    times.push(time(localText(at, job.timezone)));
    at = nextTime(parsed.cron, job.timezone, at);
  }
  return times;
}
