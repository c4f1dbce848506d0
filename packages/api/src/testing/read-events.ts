/** A message of a stream of events. */
interface Message {
  kind: string;
  id: string | null;
  name: string | null;
  repository: string | null;
}

export interface OpenedStream {
  status: number;
  headers: Headers;
  /** The next message; null at the end of the stream. */
  next: () => Promise<Message | null>;
  /** Reads until a message of this kind, and returns all messages up to it. */
  until: (kind: string) => Promise<Message[]>;
  /** Reads what has arrived by the next heartbeat. */
  untilHeartbeat: () => Promise<Message[]>;
  /** The id to resume with. */
  lastId: () => string | undefined;
  /** Closes the connection as a client does. */
  close: () => Promise<void>;
}

/** Opens a stream of events and reads it as a browser does. */
export async function openEventStream(
  url: string,
  { environment = 'dev', headers }: { environment?: string; headers: Record<string, string> },
): Promise<OpenedStream> {
  const response = await fetch(`${url}/api/v1/events/stream?environment=${encodeURIComponent(environment)}`, {
    headers,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let [text, id]: [string, string | undefined] = ['', undefined];
  /** The next part: a message, or null for a heartbeat; undefined at the end. */
  const part = async (): Promise<Message | null | undefined> => {
    for (let end = text.indexOf('\n\n'); ; end = text.indexOf('\n\n')) {
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        id = field('id') ?? id;
        const data = field('data');
        return data === undefined ? null : JSON.parse(data);
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  const next = async () => {
    for (;;) {
      const found = await part();
      if (found !== null) return found ?? null;
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    next,
    lastId: () => id,
    close: () => reader.cancel(),
    async until(kind) {
      const messages: Message[] = [];
      for (let message = await next(); message !== null; message = await next()) {
        messages.push(message);
        if (message.kind === kind) return messages;
      }
      throw new Error(`the stream closed without ${kind}, after ${JSON.stringify(messages)}`);
    },
    async untilHeartbeat() {
      const messages: Message[] = [];
      for (let found = await part(); found !== null; found = await part()) {
        if (found === undefined) throw new Error('the stream closed');
        messages.push(found);
      }
      return messages;
    },
  };
}
