import type { Io } from './io.ts';

/** Reads standard input as text, without the last line break. */
export async function readStdin({ stdin }: Pick<Io, 'stdin'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
