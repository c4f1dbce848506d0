import { ApiError } from '@svc/core/errors';

/** Limits requests per token and minute, counted in this process; 0 turns it off. */
export interface Limiter {
  /** @throws ApiError `too-many-requests`. */
  consume(tokenId: string, now: Date): void;
}

const MINUTE_MS = 60_000;

export function createLimiter(perMinute: number): Limiter {
  const counts = new Map<string, number>();
  let minute = -1;
  return {
    consume(tokenId, now) {
      if (perMinute === 0) return;
      const current = Math.floor(now.getTime() / MINUTE_MS);
      if (current !== minute) {
        counts.clear();
        minute = current;
      }
      const count = (counts.get(tokenId) ?? 0) + 1;
      counts.set(tokenId, count);
      if (count <= perMinute) return;
      const retryAfter = Math.ceil(((current + 1) * MINUTE_MS - now.getTime()) / 1000);
      throw new ApiError(
        'too-many-requests',
        `This token may send ${perMinute} requests per minute. Try again in ${retryAfter} s.`,
        { retryAfter },
      );
    },
  };
}
