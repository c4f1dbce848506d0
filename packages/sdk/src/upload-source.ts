import type { TransportRequest } from './transport.ts';

/** What the caller passed as a body failed while it was read; `cause` is its own error. */
export class SourceFailedError extends Error {
  override readonly name = 'SourceFailedError';
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Watches the body of one attempt: its own failure must not be reported as one of the connection. */
export class UploadSource {
  failure: SourceFailedError | null = null;

  /** @throws SourceFailedError if it can't be sent */
  watched(body: TransportRequest['body']): TransportRequest['body'] {
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
    if (isPieces(body)) return this.#read(body);
    throw this.#failed(
      new TypeError('The body must be a string, bytes, an async iterable of bytes, or a function that returns one.'),
    );
  }

  async *#read(body: Pieces): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of body) {
        if (typeof piece !== 'string' && !(piece instanceof Uint8Array))
          throw new TypeError(`The body must consist of bytes, and has a piece of type ${typeof piece}.`);
        yield piece;
      }
    } catch (cause) {
      throw this.#failed(cause);
    }
  }

  #failed(cause: unknown): SourceFailedError {
    this.failure = new SourceFailedError('The body could not be read.', { cause });
    return this.failure;
  }
}

/** Programs in JavaScript also pass lists. */
const isPieces = (body: unknown): body is Pieces =>
  typeof body === 'object' && body !== null && (Symbol.asyncIterator in body || Symbol.iterator in body);
