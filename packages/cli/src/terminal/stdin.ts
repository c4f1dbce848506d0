import type { Io } from './io.ts';

/** Reads standard input as text, without the last line break. */
export async function readStdin({ stdin }: Pick<Io, 'stdin'>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stdin) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
