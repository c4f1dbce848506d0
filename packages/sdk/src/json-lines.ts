import { ConnectionError } from './errors.ts';

/** Parses a stream of JSON lines. @throws ConnectionError for a line that was cut off or isn't from the service */
export async function* jsonLines<T>(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<T, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield parsed<T>(line);
  }
  if (rest.trim() !== '') yield parsed<T>(rest);
}

function parsed<T>(line: string): T {
  try {
    return JSON.parse(line) as T;
  } catch {
    const text =
      "A line of the response isn't JSON: it was cut off, or it isn't from the service. Try again, or check the address.";
    throw new ConnectionError(text, { code: 'not-the-service' });
  }
}
