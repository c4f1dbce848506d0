const SECOND = 1000;

/** Milliseconds before the second, third, fourth and fifth try. */
const PAUSES = [10 * SECOND, 60 * SECOND, 300 * SECOND, 1800 * SECOND] as const;

/** Tries of one delivery (interface: a webhook on failure). */
export const MOST_TRIES = PAUSES.length + 1;

/** Milliseconds from the end of a failed try (the first is 1) to the next; null after the last. */
export function pauseAfter(tried: number): number | null {
  return PAUSES[tried - 1] ?? null;
}
