import { ApiError, invalid } from '@svc/core/errors';
import { LOAD_MEDIA_TYPES } from '@svc/core/writes';
import { removeFiles } from '@svc/iceberg';
import type { Context } from '../http/context.ts';
import { UPLOAD_TIMEOUTS } from '../http/request/body-timeouts.ts';
import type { BodyHasher } from '../http/request/idempotency.ts';
import { piecesOf } from '../http/request/input.ts';
import { isOfStorage } from '../http/response/problem-response.ts';
import type { Received } from '../http/route.ts';
import { type RemoteFile, remotePieces } from './remote-file.ts';

/** The format for the Content-Type, which has been validated already. */
export function formatOf({ req }: Pick<Context, 'req'>) {
  const type = req.get('content-type')!.split(';')[0]!.trim().toLowerCase();
  return LOAD_MEDIA_TYPES[type as keyof typeof LOAD_MEDIA_TYPES];
}

/**
 * Streams an upload, or a remote file, into storage and hashes it on the way, without holding it in memory. Unused staged files
 * are discarded; after a crash the sweep removes them.
 */
export async function stageUpload(
  ctx: Context,
  folder: string,
  name: string,
  maxBytes: number,
  hasher: BodyHasher,
  remote?: RemoteFile | undefined,
): Promise<Received<{ location: string; size: number; hash: Buffer }>> {
  const { store } = ctx.deps;
  const location = `${store.root}/${folder}/${name}`;
  let size = 0;
  const metered = async function* () {
    if (remote !== undefined) await requireNoBody(ctx);
    const pieces = remote === undefined ? piecesOf(ctx.req, UPLOAD_TIMEOUTS) : remotePieces(remote);
    for await (const piece of pieces) {
      size += piece.length;
      if (size > maxBytes) throw new ApiError('body-too-large', `The upload is larger than ${maxBytes} bytes.`);
      // A repeated request is the same if its URL is, whatever the file contains by then.
      if (remote === undefined) hasher.update(piece);
      yield piece;
    }
  };
  try {
    await store.write(location, metered(), remote === undefined ? declaredSize(ctx, maxBytes) : undefined);
  } catch (error) {
    // Storage errors are checked before the request's state, because they may have stopped it from being read.
    if (error instanceof ApiError || isOfStorage(error)) throw error;
    if (remote === undefined && (ctx.req.readableAborted || ctx.req.destroyed))
      throw new ApiError('malformed-request', 'The upload was cut off. Nothing was changed. Send it again.', {
        cause: error,
      });
    throw error;
  }
  const bodyHash = hasher.digest();
  return {
    value: { location, size, hash: bodyHash },
    bodyHash,
    discard: () => removeFiles(store, [location]),
  };
}

/** Undefined for a chunked body. A larger body than the maximum is refused when it arrives. */
function declaredSize({ req }: Context, maxBytes: number): number | undefined {
  const length = req.get('content-length');
  return length === undefined ? undefined : Math.min(Number(length), maxBytes);
}

async function requireNoBody({ req }: Context): Promise<void> {
  for await (const piece of piecesOf(req, UPLOAD_TIMEOUTS))
    if (piece.length > 0) throw invalid({ parameter: 'url' }, 'goes with an empty body');
}
