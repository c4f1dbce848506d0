import { Writes as GeneratedWrites } from './generated/writes.ts';
import type { CallOptions } from './request.ts';

/** Loads of rows into tables. */
export class Writes extends GeneratedWrites {
  /** Streams the lines that a load left out, as CSV with file, line, column, reason and text. They are retained for a day. */
  rejected(env: string, id: string, options: CallOptions = {}): Promise<AsyncIterable<Uint8Array>> {
    return this.call.stream('writes.rejected', { ...options, params: { env, id } });
  }
}
