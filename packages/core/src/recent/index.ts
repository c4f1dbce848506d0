/**
 * Shares a result among callers: those that come while it is computed, and until it is `maxAgeMs` old. However many
 * callers there are, the work happens once in that time. A failed computation isn't shared afterwards.
 */
export function recent<T>(compute: () => Promise<T>, maxAgeMs: number, now: () => number): () => Promise<T> {
  let latest: { readonly result: Promise<T>; computedAt: number | null } | null = null;
  return () => {
    if (latest !== null && (latest.computedAt === null || now() - latest.computedAt < maxAgeMs)) return latest.result;
    const current = { result: compute(), computedAt: null as number | null };
    latest = current;
    current.result.then(
      () => {
        current.computedAt = now();
      },
      () => {
        if (latest === current) latest = null;
      },
    );
    return current.result;
  };
}
