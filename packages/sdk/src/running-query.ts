import type { Query } from './records.ts';

/** A row as an object; if several columns have the same name, the last one wins. */
export type Row = Record<string, unknown>;

export interface QueryResult<T = Row> {
  query: Query;
  rows: T[];
}

/** A table of the package `apache-arrow`; `any` if it isn't installed. */
// biome-ignore lint/suspicious/noTsIgnore: an error only where the package isn't installed
/** @ts-ignore */
export type ArrowTable = import('apache-arrow').Table;

/** How the rows of a finished query are read. */
export interface ResultReaders<T> {
  readonly rows: (query: Query) => Promise<T[]>;
  readonly arrow: (query: Query) => Promise<AsyncIterable<Uint8Array>>;
}

/**
 * A query that has been submitted. Await it for its rows as objects, or call `toArrow` for a table of Arrow; nothing is read before.
 */
export class RunningQuery<T = Row> implements Promise<QueryResult<T>> {
  readonly [Symbol.toStringTag] = 'RunningQuery';
  readonly #finished: Promise<Query>;
  readonly #readers: ResultReaders<T>;
  #result: Promise<QueryResult<T>> | undefined;

  constructor(finished: Promise<Query>, readers: ResultReaders<T>) {
    this.#finished = finished;
    this.#readers = readers;
  }

  /** Reads the result as a table of the package `apache-arrow`, which must be installed. */
  async toArrow(): Promise<ArrowTable> {
    const query = await this.#finished;
    const { tableFromIPC } = await import('apache-arrow').catch((cause: unknown) => {
      throw new Error('toArrow needs the package apache-arrow: npm install apache-arrow', { cause });
    });
    return tableFromIPC(await this.#readers.arrow(query));
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise of the rows, which are read when someone awaits it
  then<A = QueryResult<T>, B = never>(
    onFulfilled?: ((result: QueryResult<T>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#finished.then(async (query) => ({ query, rows: await this.#readers.rows(query) }));
    return this.#result.then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<QueryResult<T> | B> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<QueryResult<T>> {
    return this.then().finally(onFinally);
  }
}
