const MARK = Buffer.from('\ufeff');

/**
 * The pieces of a text with spaces for the byte order mark that it may begin with: some programs write one, and the
 * engine's JSON reader takes none. Lines and places stay where they are.
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
