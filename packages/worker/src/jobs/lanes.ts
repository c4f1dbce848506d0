/** Batches that are under way at once: while the database works on one, this process prepares another. */
const LANES = 2;
/** The first batch is small: it soon tells whether there is work for several lanes. */
const FIRST = 250;

/** Repeats a batch of at most so many, in a few lanes at once, until each lane has found less than a full one. */
export async function inLanes(
  batch: (limit: number) => Promise<number>,
  full: number,
  signal: AbortSignal,
): Promise<void> {
  const lane = async () => {
    do signal.throwIfAborted();
    while ((await batch(full)) >= full);
  };
  signal.throwIfAborted();
  if ((await batch(FIRST)) >= FIRST) await Promise.all(Array.from({ length: LANES }, lane));
}
