/** Batches that are under way at once: while the database works on one, this process prepares another. */
const LANES = 2;

/** Repeats a batch, in a few lanes at once, until each lane has found less than a full one. */
export async function inLanes(batch: () => Promise<number>, full: number, signal: AbortSignal): Promise<void> {
  const lane = async () => {
    do signal.throwIfAborted();
    while ((await batch()) >= full);
  };
  // The others only when there is more than one batch.
  if ((await batch()) >= full) await Promise.all(Array.from({ length: LANES }, lane));
}
