import type { Io } from './io.ts';

/** All of standard input as text, without the line break at its end. */
export async function readStdin({ stdin }: Pick<Io, 'stdin'>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stdin) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
