import type { ObjectCopy } from './object-store.ts';

/** The number of concurrent copies. */
const COPIES = 16;

/** Makes copies, a few at a time. After the first failure, none is running any more. */
export async function copyEach(
  copies: readonly ObjectCopy[],
  copy: (one: ObjectCopy) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < copies.length; at += COPIES) {
    const batch = await Promise.allSettled(copies.slice(at, at + COPIES).map(copy));
    const failed = batch.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
