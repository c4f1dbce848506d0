/** Concurrent batches: while the database works on one, this process prepares another. */
const LANES = 2;
/** The first batch is small: it quickly shows whether there is work for several lanes. */
const FIRST = 250;

/** Runs batches up to a maximum size in a few concurrent lanes, until each lane has found less than a full batch. */
export async function inParallel(
  batch: (limit: number) => Promise<number>,
  full: number,
  signal: AbortSignal,
): Promise<void> {
  const runLane = async () => {
    do signal.throwIfAborted();
    while ((await batch(full)) >= full);
  };
  signal.throwIfAborted();
  if ((await batch(FIRST)) >= FIRST) await Promise.all(Array.from({ length: LANES }, runLane));
}
