import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Write } from '@svc/core/writes';
import { type CopyLoad, type CopyOptions, type CopyTable, copyLoad } from '../values/index.ts';
import * as server from '../wire/server-message.ts';
import { errorOf } from './failures.ts';
import type { ResultColumn } from './row-output.ts';
import { fatal, SessionError } from './session-error.ts';
import type { SessionOptions } from './session-options.ts';
import { columnNamed, namedTable } from './table-columns.ts';
import { untilFinished } from './wait-until-finished.ts';

/** COPY FROM STDIN: a load of the rows that the client sends. It takes effect as a whole, or not at all. */
export class CopyInput {
  private readonly options: SessionOptions;

  constructor(options: SessionOptions) {
    this.options = options;
  }

  /** Returns the number of rows. @throws SessionError, ServiceError, PgValueError */
  async load(source: CopyTable, options: CopyOptions): Promise<number> {
    const { sink, client, signedIn } = this.options;
    const { url, columns } = await namedTable(this.options, source.name);
    const copied = source.columns?.map((name) => columnOf(columns, name, source)) ?? columns;
    const rows = copyLoad(options, copied);
    const body = new PassThrough();
    body.on('error', () => undefined);
    const uploading = client.upload<Write>(signedIn, `${url}/writes`, 'text/csv', body);
    // A load that is refused fails before the client has sent everything.
    const refused = new Promise<never>((_, reject) => uploading.catch(reject));
    refused.catch(() => undefined);
    sink.send(server.copyResponse('in', options.format === 'binary' ? 1 : 0, copied.length));
    await sink.flush();
    try {
      await Promise.race([this.receive(rows, body), refused]);
    } catch (error) {
      body.destroy(error as Error);
      await uploading.catch(() => undefined);
      throw error;
    }
    return this.finished(await uploading);
  }

  private async receive(rows: CopyLoad, body: PassThrough): Promise<void> {
    for (;;) {
      const message = await this.options.source.next();
      // The load was refused in the meantime, so the message is left to the session.
      if (body.destroyed) return;
      if (message === null) throw fatal('08006', 'the client has left');
      switch (message.kind) {
        case 'copy-data':
          if (!body.write(rows.write(message.data))) await once(body, 'drain');
          continue;
        case 'copy-done':
          body.end(rows.end());
          return;
        case 'copy-fail':
          throw new SessionError('57014', `COPY from stdin failed: ${message.reason}`);
        case 'flush':
        case 'sync':
          continue;
        default:
          throw fatal('08P01', `unexpected message during COPY from stdin: ${message.kind}`);
      }
    }
  }

  private async finished(write: Write): Promise<number> {
    const { client, signedIn, isDraining } = this.options;
    const url = `/api/v1/environments/${encodeURIComponent(signedIn.environment)}/writes/${write.id}`;
    const context = { client, caller: signedIn, isDraining };
    const { status, rows, error } = await untilFinished(write, context, url, `. The load ${write.id} continues`);
    if (status === 'succeeded') return rows ?? 0;
    throw errorOf(error!);
  }
}

function columnOf(columns: readonly ResultColumn[], name: string, { sql }: CopyTable): ResultColumn {
  const found = columnNamed(columns, name);
  if (found !== undefined) return found;
  const available = columns.map((column) => column.name).join(', ');
  throw new SessionError('42703', `column "${name}" of ${sql} does not exist. Its columns are ${available}`);
}
