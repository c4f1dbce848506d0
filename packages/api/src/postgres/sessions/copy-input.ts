import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Write } from '@svc/core/writes';
import { type CopyLoad, type CopyOptions, type CopyTable, copyLoad } from '../values/index.ts';
import * as server from '../wire/server-message.ts';
import { errorOf } from './failures.ts';
import type { ResultColumn } from './portals.ts';
import { ServiceError } from './service-client.ts';
import type { SessionOptions } from './session.ts';
import { fatal, SessionError } from './session-error.ts';

interface Table {
  readonly url: string;
  readonly columns: readonly ResultColumn[];
}

const WAIT_SECONDS = 60;

/** COPY FROM STDIN: a load of the rows that the client sends. It takes effect as a whole, or not at all. */
export class CopyInput {
  private readonly options: SessionOptions;

  constructor(options: SessionOptions) {
    this.options = options;
  }

  /** Returns the number of rows. @throws SessionError, ServiceError, PgValueError */
  async load(source: CopyTable, options: CopyOptions): Promise<number> {
    const { sink, client, signedIn } = this.options;
    const { url, columns } = await this.table(source);
    const copied = source.columns?.map((name) => columnNamed(columns, name, source)) ?? columns;
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
    let current = write;
    while (current.ended_at === null) {
      if (isDraining())
        throw fatal('57P01', `terminating connection: the service is stopping. The load ${write.id} continues`);
      current = await client.call<Write>(signedIn, 'GET', `${url}?wait=${WAIT_SECONDS}`);
    }
    if (current.status === 'succeeded') return current.rows ?? 0;
    throw errorOf(current.error!);
  }

  /** The table that a name means: the first one of the search path that the caller may read. */
  private async table({ name, sql }: CopyTable): Promise<Table> {
    const { client, signedIn, settings } = this.options;
    const names = namesOf(name, signedIn.environment, settings.searchPath);
    for (const [namespace, table] of names) {
      const path = [signedIn.environment, 'namespaces', namespace, 'tables', table].map(encodeURIComponent).join('/');
      const url = `/api/v1/environments/${path}`;
      const found = await client.call<{ columns: ResultColumn[] }>(signedIn, 'GET', url).catch((error: unknown) => {
        const isLast = names.at(-1)![0] === namespace;
        if (error instanceof ServiceError && error.status === 404 && !isLast) return null;
        throw error instanceof ServiceError && error.code === 'not-found'
          ? new SessionError('42P01', error.message)
          : error;
      });
      if (found !== null) return { url, columns: found.columns };
    }
    throw new SessionError('42P01', `Name the table with its namespace: <namespace>.${sql}.`);
  }
}

/** The pairs of namespace and table that a name can mean. */
function namesOf(name: readonly string[], environment: string, searchPath: readonly string[]): [string, string][] {
  const table = name.at(-1)!;
  if (name.length === 1) return searchPath.map((namespace) => [namespace, table]);
  const full: [string, string] = [name.slice(0, -1).join('.'), table];
  return name.length > 2 && name[0] === environment ? [full, [name.slice(1, -1).join('.'), table]] : [full];
}

function columnNamed(columns: readonly ResultColumn[], name: string, { sql }: CopyTable): ResultColumn {
  const found =
    columns.find((column) => column.name === name) ??
    columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const available = columns.map((column) => column.name).join(', ');
  throw new SessionError('42703', `column "${name}" of ${sql} does not exist. Its columns are ${available}`);
}
