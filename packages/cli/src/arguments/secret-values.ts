import { usageError } from '../cli-error.ts';
import type { Io } from '../terminal/io.ts';

const EXAMPLE = '{"username": "…", "password": "…"}';

/** Reads the values of a secret, a JSON object, from standard input. Errors never repeat any of it. @throws CliError */
export async function readValues(io: Pick<Io, 'stdin'>, requested: boolean): Promise<Record<string, string>> {
  if (!requested) {
    throw usageError(`Add --values-stdin and pass the values on standard input as a JSON object such as ${EXAMPLE}.`);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of io.stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  const values = parsed(Buffer.concat(chunks));
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw usageError(`Standard input must be a JSON object in UTF-8, such as ${EXAMPLE}.`);
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
