import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '@svc/core/errors';
import { removeFiles } from '@svc/lake/tables';
import { isOfStorage } from '../http/answer/problem-answer.ts';
import type { Context } from '../http/context.ts';
import type { BodyHasher } from '../http/request/idempotency.ts';
import { piecesOf } from '../http/request/input.ts';
import { UPLOAD_PATIENCE } from '../http/request/patience.ts';
import type { Received } from '../http/route.ts';

/**
 * Streams an upload into storage, hashing it on the way; never whole in memory. What is staged and then not used is
 * discarded; after a crash the sweep removes it.
 */
export async function stageUpload(
  ctx: Context,
  folder: string,
  name: string,
  maxBytes: number,
  hasher: BodyHasher,
): Promise<Received<{ location: string; size: number; hash: Buffer }>> {
  const { store } = ctx.deps;
  const location = `${store.root}/${folder}/${name}`;
  let size = 0;
  const meter = new Transform({
    highWaterMark: 1 << 20,
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hasher.update(chunk);
      done(
        size > maxBytes ? new Problem('body-too-large', `The upload is larger than ${maxBytes} bytes.`) : null,
        chunk,
      );
    },
  });
  const abort = new AbortController();
  const fed = pipeline(piecesOf(ctx.req, UPLOAD_PATIENCE), meter, { signal: abort.signal }).catch((error: unknown) => {
    meter.destroy(error as Error);
  });
  try {
    await store.write(location, meter);
  } catch (error) {
    abort.abort();
    await fed;
    // What the store says of itself, before the request is looked at: its stream ends with the store's.
    if (error instanceof Problem || isOfStorage(error)) throw error;
    if (ctx.req.readableAborted || ctx.req.destroyed)
      throw new Problem('malformed-request', 'The upload broke off. Nothing was changed; send it again.', {
        cause: error,
      });
    throw error;
  }
  await fed;
  const bodyHash = hasher.digest();
  return {
    value: { location, size, hash: bodyHash },
    bodyHash,
    discard: () => removeFiles(store, [location]),
  };
}
