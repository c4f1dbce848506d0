import { createReadStream } from 'node:fs';

const LF = 10;
/** Maximum line length for the scan; the limit of the engine's reader is similar. */
const MAX_LINE = 64 * 1024 * 1024;
/** Maximum size of a line of NDJSON: the engine buffers a whole one. */
export const NDJSON_LINE_BYTES = 16 * 1024 * 1024;
/** More than any line may have that is loaded. */
const CUT_BYTES = NDJSON_LINE_BYTES + 1;

/**
 * The lines of a file as bytes without their line endings, in bounded memory.
 *
 * @param options.cut whether lines that are too long are cut; otherwise they are an error
 */
export async function* linesOf(path: string, { cut = false } = {}): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk as Buffer]) : (chunk as Buffer);
    let start = 0;
    for (let end = data.indexOf(LF); end !== -1; end = data.indexOf(LF, start)) {
      yield data.subarray(start, end);
      start = end + 1;
    }
    rest = data.subarray(start);
    if (cut && rest.length > CUT_BYTES) rest = rest.subarray(0, CUT_BYTES);
    if (rest.length > MAX_LINE) throw new Error('line too long');
  }
  if (rest.length > 0) yield rest;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function isUtf8(bytes: Buffer): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
