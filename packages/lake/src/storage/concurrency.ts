/** The number of concurrent requests. */
const CONCURRENT = 16;

/** Acts on each item, a few at a time. After the first failure, no action is running any more. */
export async function forEach<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += CONCURRENT) {
    const batch = await Promise.allSettled(items.slice(at, at + CONCURRENT).map(act));
    const failed = batch.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
