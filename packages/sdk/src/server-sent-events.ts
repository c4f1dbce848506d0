/** A message of a stream of server-sent events. */
export interface ServerSentEvent {
  readonly data: string;
  /** The id to resume with after this message; null if it has none. */
  readonly id: string | null;
}

/** Parses a stream of server-sent events, as far as the service uses the format. Comments and ids alone are left out. */
export async function* serverSentEvents(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let id: string | null = null;
  for await (const piece of pieces) {
    const parts = (rest + decoder.decode(piece, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    for (const lines of parts.map((part) => part.split('\n'))) {
      id = fieldOf(lines, 'id') ?? id;
      const data = fieldOf(lines, 'data');
      if (data !== undefined) yield { data, id };
    }
  }
}

function fieldOf(lines: readonly string[], name: string): string | undefined {
  const line = lines.find((one) => one.startsWith(`${name}:`));
  return line?.slice(name.length + 1).replace(/^ /, '');
}
