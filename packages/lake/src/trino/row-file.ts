import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { DISK_FULL, QueryRejectedError } from '../queries/query-errors.ts';

/** Lines of text in a file of limited size. */
export class RowFile {
  private readonly stream: ReturnType<typeof createWriteStream>;
  private readonly limit: number;
  private bytes = 0;
  private longest = 0;

  constructor(file: string, limit: number) {
    this.stream = createWriteStream(file, { mode: 0o600 });
    // Reported by `close` and by the next write.
    this.stream.on('error', () => undefined);
    this.limit = limit;
  }

  async add(line: string): Promise<void> {
    const size = Buffer.byteLength(line);
    this.bytes += size;
    this.longest = Math.max(this.longest, size);
    if (this.bytes > this.limit)
      throw new QueryRejectedError(
        'disk-full',
        'The rows of the query exceed its limit of temporary disk space. Query less data at a time.',
      );
    if (this.stream.errored !== null) throw diskFull(this.stream.errored);
    if (!this.stream.write(line))
      await once(this.stream, 'drain').catch((error: Error) => Promise.reject(diskFull(error)));
  }

  async close(): Promise<number> {
    this.stream.end();
    await finished(this.stream).catch((error: Error) => Promise.reject(diskFull(error)));
    return this.longest;
  }

  abandon(): void {
    this.stream.destroy();
  }
}

function diskFull(error: Error): Error {
  if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') return error;
  return new QueryRejectedError(DISK_FULL.code, DISK_FULL.message);
}
