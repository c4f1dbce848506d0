import { ApiError } from '@svc/core/errors';
import type { RequestCount } from '@svc/db/quotas';

/** Limits requests per key and minute; 0 turns it off. */
export interface Limiter {
  /** Counts a request. @throws ApiError `too-many-requests`. */
  consume(key: string, now: Date): void;
  /** Sends what was counted since the last call, and receives the counts of the other servers. */
  reconcile(share: ShareCounts): Promise<void>;
}

/** Adds the counts of a minute to those of all servers, and returns the totals of the same keys. */
export type ShareCounts = (minute: number, counts: readonly RequestCount[]) => Promise<readonly RequestCount[]>;

interface Count {
  /** By all servers, as of the last reconciliation. */
  shared: number;
  /** By this server since then. */
  own: number;
}

export const MINUTE_MS = 60_000;
/** Above this number of keys in a minute, further ones aren't counted: memory matters more than an exact limit. */
const MAX_KEYS = 100_000;

/** `subject` starts the sentence of the error: `This token may`. */
export function createLimiter(perMinute: number, subject: string): Limiter {
  let counts = new Map<string, Count>();
  let minute = -1;
  return {
    consume(key, now) {
      if (perMinute === 0) return;
      const current = Math.floor(now.getTime() / MINUTE_MS);
      if (current !== minute) {
        counts = new Map();
        minute = current;
      }
      let count = counts.get(key);
      if (count === undefined) {
        if (counts.size >= MAX_KEYS) return;
        count = { shared: 0, own: 0 };
        counts.set(key, count);
      }
      count.own += 1;
      if (count.shared + count.own <= perMinute) return;
      const retryAfter = Math.ceil(((current + 1) * MINUTE_MS - now.getTime()) / 1000);
      throw new ApiError(
        'too-many-requests',
        `${subject} send ${perMinute} requests per minute. Try again in ${retryAfter} s.`,
        { retryAfter },
      );
    },
    async reconcile(share) {
      // The map belongs to this minute; a request of the next one starts another.
      const current = counts;
      const sent = [...current].flatMap(([key, { own }]) => (own === 0 ? [] : [{ token_id: key, requests: own }]));
      if (sent.length === 0) return;
      const totals = await share(minute, sent);
      for (const { token_id: key, requests } of sent) current.get(key)!.own -= requests;
      for (const { token_id: key, requests } of totals) {
        const count = current.get(key);
        if (count !== undefined) count.shared = requests;
      }
    },
  };
}
