import type { Readable } from 'node:stream';
import { type ClientMessage, decodeMessage, isMessageType } from './client-message.ts';
import { ProtocolError } from './protocol-error.ts';
import { decodeStartup, type StartupMessage } from './startup-message.ts';

/** Bytes of a first message; PostgreSQL has the same limit. */
const MAX_STARTUP = 10_000;
/** Bytes of a message before the client has signed in. */
const MAX_UNAUTHENTICATED = 64 * 1024;
/** Bytes that are read ahead. While more are waiting, the client has to wait. */
const MAX_BUFFERED = 1024 * 1024;

/**
 * The messages of a connection in order. It reads ahead even while nobody waits for a message, so that a client that disconnects is
 * noticed.
 */
export class MessageSource {
  private readonly socket: Readable;
  private chunks: Buffer[] = [];
  private bytes = 0;
  private isOver = false;
  private wake: () => void = () => undefined;
  private maxMessage = MAX_UNAUTHENTICATED;
  private pending: Promise<ClientMessage | null> | null = null;
  private readonly onData = (chunk: Buffer) => {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes > MAX_BUFFERED) this.socket.pause();
    this.wake();
  };
  private readonly onEnd = () => {
    this.isOver = true;
    this.wake();
  };

  constructor(socket: Readable) {
    this.socket = socket;
    socket.on('data', this.onData).on('end', this.onEnd).on('close', this.onEnd);
  }

  /** Allows larger messages, once the client has signed in. */
  allow(maxMessage: number): void {
    this.maxMessage = maxMessage;
  }

  /** Releases the connection, for example for TLS. Bytes that arrived too early are dropped: nobody has protected them. */
  detach(): void {
    this.socket.off('data', this.onData).off('end', this.onEnd).off('close', this.onEnd);
    this.socket.pause();
    this.chunks = [];
    this.bytes = 0;
  }

  /** Null if the connection was closed first. @throws ProtocolError */
  async startup(): Promise<StartupMessage | null> {
    const header = await this.take(4);
    if (header === null) return null;
    const length = header.readInt32BE() - 4;
    if (length < 4 || length > MAX_STARTUP) throw new ProtocolError('invalid length of startup packet');
    const body = await this.take(length);
    return body === null ? null : decodeStartup(body);
  }

  /**
   * Null at the end of the connection. Who stops waiting for a message leaves it to the next caller: its first bytes may have been
   * read.
   *
   * @throws ProtocolError
   */
  next(): Promise<ClientMessage | null> {
    this.pending ??= this.read().finally(() => {
      this.pending = null;
    });
    return this.pending;
  }

  private async read(): Promise<ClientMessage | null> {
    const header = await this.take(5);
    if (header === null) return null;
    const type = String.fromCharCode(header[0]!);
    if (!isMessageType(type)) throw new ProtocolError(`invalid frontend message type ${header[0]}`);
    const length = header.readInt32BE(1) - 4;
    if (length < 0 || length > this.maxMessage)
      throw new ProtocolError(`invalid message length: a message may have ${this.maxMessage} bytes`);
    const body = await this.take(length);
    return body === null ? null : decodeMessage(type, body);
  }

  /** Whether nothing has arrived that wasn't taken. */
  get isDrained(): boolean {
    return this.bytes === 0;
  }

  private async take(length: number): Promise<Buffer | null> {
    while (this.bytes < length) {
      if (this.isOver) return null;
      this.socket.resume();
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.slice(length);
  }

  private slice(length: number): Buffer {
    if (length === 0) return Buffer.alloc(0);
    const first = this.chunks[0]!;
    const joined = first.length >= length || this.chunks.length === 1 ? first : Buffer.concat(this.chunks);
    if (joined === first) this.chunks.shift();
    else this.chunks = [];
    if (joined.length > length) this.chunks.unshift(joined.subarray(length));
    this.bytes -= length;
    if (this.bytes <= MAX_BUFFERED) this.socket.resume();
    return joined.subarray(0, length);
  }
}
