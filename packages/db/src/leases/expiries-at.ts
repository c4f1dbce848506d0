import { MAX_LEASE_SECONDS } from '@svc/core/workers';

const LONGEST_MS = MAX_LEASE_SECONDS * 1000;

/**
 * When the longest lease that starts now expires. One that expires after `furthest` was taken before the clock was set back; it
 * is shortened to the longest, which any living holder renews in time.
 */
export const expiriesAt = (now: Date): { longest: Date; furthest: Date } => ({
  longest: new Date(now.getTime() + LONGEST_MS),
  furthest: new Date(now.getTime() + 2 * LONGEST_MS),
});
