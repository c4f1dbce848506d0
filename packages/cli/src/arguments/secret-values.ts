import { usage } from '../exit.ts';
import type { Io } from '../terminal/io.ts';

const EXAMPLE = '{"username": "…", "password": "…"}';

/** The values of a secret: a JSON object on standard input, of which no error repeats anything. @throws Failed */
export async function readValues(io: Pick<Io, 'stdin'>, asked: boolean): Promise<Record<string, string>> {
  if (!asked) {
    throw usage(`The values come from standard input, as a JSON object such as ${EXAMPLE}. Add --values-stdin.`);
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of io.stdin) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  const values = parsed(Buffer.concat(pieces));
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw usage(`Standard input must hold a JSON object in UTF-8, such as ${EXAMPLE}.`);
  }
  return values as Record<string, string>;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
