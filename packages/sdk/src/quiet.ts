/** Passes pieces on, and calls `onQuiet` if none has arrived for some milliseconds while one was waited for. */
export async function* watched<T>(
  pieces: AsyncIterable<T>,
  ms: number,
  onQuiet: () => void,
): AsyncGenerator<T, void, undefined> {
  let timer = setTimeout(onQuiet, ms);
  try {
    for await (const piece of pieces) {
      clearTimeout(timer);
      yield piece;
      timer = setTimeout(onQuiet, ms);
    }
  } finally {
    clearTimeout(timer);
  }
}
