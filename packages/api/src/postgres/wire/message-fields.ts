import { ProtocolError } from './protocol-error.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the fields of one message in order. @throws ProtocolError if the message is shorter or longer than its fields */
export class MessageFields {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  byte(): string {
    return String.fromCharCode(this.take(1)[0]!);
  }

  int16(): number {
    return this.take(2).readInt16BE();
  }

  uint16(): number {
    return this.take(2).readUInt16BE();
  }

  int32(): number {
    return this.take(4).readInt32BE();
  }

  /** A text that ends with a zero byte. */
  text(): string {
    const end = this.bytes.indexOf(0, this.at);
    if (end === -1) throw new ProtocolError('invalid message: a string has no end');
    const text = utf8(this.bytes.subarray(this.at, end));
    this.at = end + 1;
    return text;
  }

  /** `count` items. The count comes from the client, so it is checked against the size of the message first. */
  list<T>(count: number, minBytes: number, read: () => T): T[] {
    if (count < 0 || count * minBytes > this.bytes.length - this.at)
      throw new ProtocolError('invalid message: a list is longer than the message');
    return Array.from({ length: count }, read);
  }

  /** Null for the length -1. */
  value(): Buffer | null {
    const length = this.int32();
    if (length === -1) return null;
    if (length < 0) throw new ProtocolError('invalid message: a value has a negative length');
    return this.take(length);
  }

  rest(): Buffer {
    return this.take(this.bytes.length - this.at);
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  requireEnd(): void {
    if (!this.isAtEnd) throw new ProtocolError('invalid message: it is longer than its fields');
  }

  private take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw new ProtocolError('invalid message: it is too short');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** @throws ProtocolError */
export function utf8(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ProtocolError('invalid byte sequence for encoding "UTF8"', '22021');
  }
}
