import { createCipheriv, createHmac } from 'node:crypto';
import { trimEnd } from '@svc/core/contract';
import { ApiError } from '@svc/core/errors';
import type { Transaction } from '@svc/db/connection';
import { findResponse, lockKey, storeResponse } from '@svc/db/idempotency';
import type { Context } from '../context.ts';

/** Hours that a response is stored for replay. */
const RETENTION_HOURS = 24;

export interface StoredResponse {
  status: number;
  body: unknown;
}

export interface IdempotentRequest {
  key: string;
  method: string;
  path: string;
  bodyHash: Buffer;
}

/**
 * Identifies the request of a key: its normalized path, and a hash of everything else it requests. `wait` is left out
 * because it doesn't affect what is done.
 */
export function idempotentRequest(
  ctx: Context,
  { key, bodyHash }: { key: string; bodyHash: Buffer },
): IdempotentRequest {
  const { method, path } = ctx.req;
  const parameters = Object.entries(ctx.query as object).filter(
    ([name, value]) => name !== 'wait' && value !== undefined,
  );
  const hash =
    parameters.length === 0 ? bodyHash : bodyHasher(ctx).update(JSON.stringify(parameters)).update(bodyHash).digest();
  return { key, method, path: trimEnd(path, '/'), bodyHash: hash };
}

export function bodyHasher(ctx: Context) {
  return createHmac('sha256', ctx.deps.keys.bodyHash);
}

/** An incremental hash that distinguishes bodies. */
export interface BodyHasher {
  update: (piece: Buffer) => unknown;
  digest: () => Buffer;
}

/**
 * Hashes bodies of any size with GMAC, which costs a fifth of a cryptographic hash. That is safe only while each key
 * serves one purpose and the tag stays in the service: each Idempotency-Key therefore has its own GMAC key, and the
 * nonce may be a constant.
 */
export function uploadHasher(ctx: Context): BodyHasher {
  const name = `${ctx.caller.id} ${ctx.req.get('idempotency-key') ?? ''}`;
  const key = createHmac('sha256', ctx.deps.keys.uploadHash).update(name).digest();
  const mac = createCipheriv('aes-256-gcm', key, Buffer.alloc(12));
  return {
    update: (piece) => mac.setAAD(piece),
    digest: () => {
      mac.final();
      return mac.getAuthTag();
    },
  };
}

/**
 * The request's Idempotency-Key, or null. @throws ApiError when the endpoint doesn't support keys or the key is invalid
 */
export function idempotencyKey(header: string | undefined, supported: boolean): string | null {
  if (header === undefined) return null;
  if (!supported) {
    throw new ApiError(
      'idempotency-not-supported',
      'This route returns a secret that is shown only once, so it does not support Idempotency-Key. Remove the header.',
      { errors: [{ parameter: 'Idempotency-Key', message: 'is not supported by this route' }] },
    );
  }
  if (/^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new ApiError('invalid-request', 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.', {
    errors: [{ parameter: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }],
  });
}

/**
 * Runs a request once: the first request runs `handle`, and its response commits with its change; a repeated request
 * replays that response. The lock lasts as long as the transaction, so a killed server leaves no key locked.
 */
export async function once(
  tx: Transaction,
  ctx: Context,
  request: IdempotentRequest,
  handle: () => Promise<StoredResponse>,
): Promise<StoredResponse> {
  const id = { principalId: ctx.caller.id, method: request.method, path: request.path, key: request.key };
  if (!(await lockKey(tx, id))) {
    throw new ApiError(
      'idempotency-key-in-use',
      'The first request with this Idempotency-Key is still in progress. Repeat it in a moment.',
      { retryAfter: 1 },
    );
  }
  const stored = await findResponse(tx, { ...id, now: ctx.now });
  if (stored !== null) {
    if (Buffer.compare(stored.bodyHash, request.bodyHash) === 0)
      return { status: stored.status, body: stored.response };
    throw new ApiError(
      'idempotency-key-reused',
      'This Idempotency-Key was used with another body or other parameters. Use a new key for a new request.',
      { errors: [{ parameter: 'Idempotency-Key', message: 'was used with another body or other parameters' }] },
    );
  }
  const response = await handle();
  const expiresAt = new Date(ctx.now.getTime() + RETENTION_HOURS * 3_600_000);
  await storeResponse(tx, {
    ...id,
    bodyHash: request.bodyHash,
    status: response.status,
    response: response.body,
    now: ctx.now,
    expiresAt,
  });
  return response;
}
