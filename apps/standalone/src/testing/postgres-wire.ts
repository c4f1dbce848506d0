import { connect, type Socket } from 'node:net';
import { TOKEN } from './test-service.ts';

/** A message of the server. */
export interface ServerMessage {
  readonly type: string;
  readonly body: Buffer;
}

/** A connection that sends any bytes, also wrong ones. */
export class WireClient {
  private readonly socket: Socket;
  private bytes = Buffer.alloc(0);
  private chunks: Buffer[] = [];
  private isClosed = false;
  private wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.wake();
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        this.isClosed = true;
        this.wake();
      });
  }

  static async open(port: number): Promise<WireClient> {
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    return new WireClient(socket);
  }

  /** A connection to `dev`, by default of the administrator, that is ready for a query. */
  static async signedIn(port: number, { user = 'admin', token = TOKEN } = {}): Promise<WireClient> {
    const client = await WireClient.open(port);
    client.send(startup({ user, database: 'dev' }));
    await client.until('R');
    client.send(message('p', text(token)));
    await client.until('Z');
    return client;
  }

  send(...pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) this.socket.write(piece);
  }

  /** The messages up to one of this type. Also ends when the server closes the connection. */
  async until(type: string): Promise<ServerMessage[]> {
    const messages: ServerMessage[] = [];
    for (;;) {
      const next = await this.next();
      if (next === null) return messages;
      messages.push(next);
      if (next.type === type) return messages;
    }
  }

  /** The codes of all errors until the server closes the connection. */
  async errorsUntilClosed(): Promise<(string | undefined)[]> {
    const messages = await this.until('never');
    return messages.filter(({ type }) => type === 'E').map(codeOf);
  }

  /** Stops reading, as a slow client. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** The number of rows of a result, which aren't retained, and its tag. */
  async countRows(): Promise<{ rows: number; tag: string | null }> {
    let [rows, tag]: [number, string | null] = [0, null];
    for (let next = await this.next(); next !== null && next.type !== 'Z'; next = await this.next()) {
      if (next.type === 'D') rows++;
      if (next.type === 'C') tag = next.body.subarray(0, -1).toString();
    }
    return { rows, tag };
  }

  close(): void {
    this.socket.destroy();
  }

  /** Sends nothing more; answers can still be read. */
  end(): void {
    this.socket.end();
  }

  private async next(): Promise<ServerMessage | null> {
    for (;;) {
      const length = this.bytes.length < 5 ? Number.POSITIVE_INFINITY : this.bytes.readInt32BE(1) + 1;
      if (this.bytes.length >= length) {
        const message = { type: String.fromCharCode(this.bytes[0]!), body: this.bytes.subarray(5, length) };
        this.bytes = this.bytes.subarray(length);
        return message;
      }
      if (this.chunks.length > 0) {
        this.bytes = Buffer.concat([this.bytes, ...this.chunks]);
        this.chunks = [];
        continue;
      }
      if (this.isClosed) return null;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}

export const text = (value: string): Buffer => Buffer.from(`${value}\0`);

export function int(value: number, bytes: 2 | 4): Buffer {
  const out = Buffer.alloc(bytes);
  if (bytes === 2) out.writeInt16BE(value);
  else out.writeInt32BE(value);
  return out;
}

export function message(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type, 'latin1'), int(body.length + 4, 4), body]);
}

export function startup(parameters: Readonly<Record<string, string>>, version = 196_608): Buffer {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => [text(name), text(value)]);
  const body = Buffer.concat([int(version, 4), ...pairs, Buffer.of(0)]);
  return Buffer.concat([int(body.length + 4, 4), body]);
}

/** The SQLSTATE of an error. */
export const codeOf = ({ body }: ServerMessage): string | undefined =>
  body
    .toString()
    .split('\0')
    .find((field) => field.startsWith('C'))
    ?.slice(1);
