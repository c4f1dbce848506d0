import { pipeline, Readable, Transform } from 'node:stream';
import { MAX_ATTEMPTS, PART_BYTES } from './bucket-client.ts';

const BROKEN = new WeakSet<object>();

/** Marks a truncated response as the client of AWS marks its errors, because it is the bucket's failure. */
export function markBroken(error: Error): void {
  if ('$metadata' in error) return;
  BROKEN.add(error);
  Object.assign(error, { $metadata: {} });
}

/** Retries a read whose response was truncated; the client itself retries failed requests. */
export async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  for (let time = 1; ; time++) {
    try {
      return await read();
    } catch (error) {
      if (!BROKEN.has(error as object) || time === MAX_ATTEMPTS) throw error;
    }
  }
}

/** A response's body that fails if it is shorter than `length`, or if nothing arrives for `idleMs`. */
export function wholeBody(source: Readable, length: number, idleMs: number): Readable {
  let received = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      timer.refresh();
      done(null, chunk);
    },
    flush(done) {
      done(received < length ? new Error(`the response broke off after ${received} of ${length} bytes`) : null);
    },
  });
  const timer = setTimeout(() => {
    // The reader may pause.
    if (body.writableNeedDrain) timer.refresh();
    else source.destroy(new Error(`no data arrived for ${idleMs} ms`));
  }, idleMs);
  body.on('drain', () => timer.refresh());
  pipeline(source, body, () => clearTimeout(timer));
  return body;
}

/** A body that fits into one request as bytes, so that the request can be retried; any other as a stream. */
export async function wholeIfSmall(body: Uint8Array | Readable): Promise<Uint8Array | Readable> {
  if (body instanceof Uint8Array) return body.length <= PART_BYTES ? body : Readable.from(parts(body));
  const chunks: Buffer[] = [];
  let size = 0;
  const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  while (size <= PART_BYTES) {
    const { done, value } = await iterator.next();
    if (done === true) return Buffer.concat(chunks);
    chunks.push(Buffer.from(value));
    size += value.length;
  }
  return Readable.from(
    (async function* () {
      yield* chunks;
      yield* { [Symbol.asyncIterator]: () => iterator };
    })(),
    { objectMode: false },
  );
}

function* parts(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}
