import { CatalogError } from '@svc/core/catalog';
import { inTransaction } from '@svc/db/connection';
import type { Context } from '../../http/context.ts';
import { isFinal } from '../../http/pipeline.ts';
import { bodyHasher, once } from '../../http/request/idempotency.ts';
import type { CatalogContext } from './context.ts';
import { asCatalogError } from './errors.ts';
import type { CatalogResponse } from './response.ts';
import type { CatalogRoute } from './route.ts';

interface Keyed {
  key: string;
  raw: Buffer;
}

/** What is stored of a response. For a table or view that is only the id to load (`true`: look it up by name). */
type StoredResponse = { reload: string | true } | { text: string | null };

const requestOf = (ctx: CatalogContext<never>, { key, raw }: Keyed) => ({
  key,
  method: ctx.req.method,
  path: ctx.req.originalUrl,
  bodyHash: bodyHasher(ctx as Context)
    .update(raw)
    .digest(),
});

/** Runs the first request with a key; a repeated request gets an equivalent response without another change. */
export async function respondOnce(
  ctx: CatalogContext<never>,
  route: CatalogRoute,
  keyed: Keyed,
  act: () => Promise<CatalogResponse>,
): Promise<CatalogResponse> {
  let first: CatalogResponse | null = null;
  const stored = await once(ctx.db, ctx as Context, requestOf(ctx, keyed), async () => {
    first = await act();
    const stored: StoredResponse =
      first.reload !== undefined
        ? { reload: first.reload }
        : { text: (first.stored ?? first.text)?.toString() ?? null };
    return { status: first.status, body: stored };
  });
  if (first !== null) return first;
  const toReplay = stored.body as StoredResponse;
  if ('reload' in toReplay) return route.replay!(ctx, toReplay.reload === true ? null : toReplay.reload);
  if (stored.status >= 400) throw parseCatalogError(stored.status, toReplay.text ?? '');
  if (route.complete !== null && toReplay.text !== null) return route.complete(ctx, toReplay.text);
  return { status: stored.status as 200, ...(toReplay.text === null ? {} : { text: Buffer.from(toReplay.text) }) };
}

function parseCatalogError(status: number, text: string): CatalogError {
  const { error } = JSON.parse(text) as CatalogError['body'];
  return new CatalogError(error.type as CatalogError['type'], error.message, { status });
}

/** Stores an error that a repeated request would meet, too. Missing permissions are checked again each time. */
export async function rememberRefusal(
  ctx: CatalogContext<never>,
  { endpoint }: CatalogRoute,
  keyed: Keyed,
  error: unknown,
): Promise<void> {
  if (!(error instanceof CatalogError) && !isFinal(error)) return;
  const refusal = asCatalogError(error, endpoint);
  if (refusal.status >= 500 || refusal.status === 403) return;
  const body: StoredResponse = { text: JSON.stringify(refusal.body) };
  await inTransaction(ctx.deps.db, (tx) =>
    once(tx, ctx as Context, requestOf(ctx, keyed), async () => ({ status: refusal.status, body })),
  );
}
