const SECOND = 1000;

/** Milliseconds before the second, third, fourth and fifth attempt. */
const PAUSES = [10 * SECOND, 60 * SECOND, 300 * SECOND, 1800 * SECOND] as const;

/** Attempts of one delivery (JOBS-17). */
export const MAX_ATTEMPTS = PAUSES.length + 1;

/** Milliseconds from the end of a failed attempt (the first is 1) to the next one; null after the last. */
export function pauseAfter(attempt: number): number | null {
  return PAUSES[attempt - 1] ?? null;
}
