const MARK = Buffer.from('\ufeff');

/**
 * Replaces a leading byte order mark with spaces: some programs write one, but the engine's JSON reader rejects it.
 * Line and column numbers stay the same.
 */
export async function* blankMark(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (start === null) {
      yield piece;
      continue;
    }
    start = start.length === 0 ? piece : Buffer.concat([start, piece]);
    if (start.length < MARK.length) continue;
    yield blanked(start);
    start = null;
  }
  if (start !== null && start.length > 0) yield start;
}

function blanked(start: Buffer): Buffer {
  if (!start.subarray(0, MARK.length).equals(MARK)) return start;
  return Buffer.concat([Buffer.alloc(MARK.length, ' '), start.subarray(MARK.length)]);
}
