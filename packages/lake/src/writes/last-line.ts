import { open } from 'node:fs/promises';

const LF = 10;
const PIECE_BYTES = 64 * 1024;

/** Whether the last line of a file, without its line ending, has more bytes than this. Reads the file from its end. */
export async function isLastLineLonger(path: string, limit: number): Promise<boolean> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    // The last byte may be the line ending.
    for (let end = size - 1; size - 1 - end <= limit; ) {
      if (end <= 0) return size - 1 > limit;
      const start = Math.max(0, end - PIECE_BYTES);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
      const found = buffer.subarray(0, bytesRead).lastIndexOf(LF);
      if (found !== -1) return size - 1 - (start + found) > limit;
      end = start;
    }
    return true;
  } finally {
    await handle.close();
  }
}
