import type { Writable } from 'node:stream';

/** Bytes that are collected before they are written. */
const MAX_COLLECTED = 64 * 1024;

/** Writes messages to a connection: small ones together, and not faster than the client reads. */
export class MessageSink {
  private readonly socket: Writable;
  private collected: Uint8Array[] = [];
  private bytes = 0;

  constructor(socket: Writable) {
    this.socket = socket;
  }

  /** Collects messages; `flush` or later ones send them. */
  send(...messages: readonly Uint8Array[]): void {
    for (const message of messages) {
      this.collected.push(message);
      this.bytes += message.length;
    }
    if (this.bytes > MAX_COLLECTED) this.write();
  }

  /** Sends messages, and waits while the client doesn't keep up. Returns the number of bytes. */
  async sendRows(rows: Uint8Array): Promise<number> {
    this.send(rows);
    if (this.socket.writableNeedDrain) await this.drained();
    return rows.length;
  }

  async flush(): Promise<void> {
    this.write();
    if (this.socket.writableNeedDrain) await this.drained();
  }

  private write(): void {
    if (this.collected.length === 0) return;
    const bytes = this.collected.length === 1 ? this.collected[0]! : Buffer.concat(this.collected);
    this.collected = [];
    this.bytes = 0;
    if (this.socket.writable) this.socket.write(bytes);
  }

  private drained(): Promise<void> {
    if (!this.socket.writable) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.socket.off('drain', done).off('close', done);
        resolve();
      };
      this.socket.on('drain', done).on('close', done);
    });
  }
}
