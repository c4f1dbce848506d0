const PROGRESS_MS = 500;

/** Stores progress (0 to 1) at most twice a second; a lost update does no harm. */
export function progressReporter(store: (progress: number) => Promise<void>): (percentage: number | null) => void {
  let last = 0;
  return (percentage) => {
    const now = performance.now();
    if (percentage === null || now - last < PROGRESS_MS) return;
    last = now;
    store(Math.max(0, Math.min(1, percentage / 100))).catch(() => {});
  };
}
