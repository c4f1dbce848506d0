import { CatalogRefusal } from '@svc/core/catalog';
import { inTransaction } from '@svc/db/connection';
import type { Context } from '../../http/context.ts';
import { isFinal } from '../../http/pipeline.ts';
import { bodyHasher, once } from '../../http/request/idempotency.ts';
import type { CatalogAnswer } from './answer.ts';
import type { CatalogContext } from './context.ts';
import { asRefusal } from './errors.ts';
import type { CatalogRoute } from './route.ts';

interface Keyed {
  key: string;
  raw: Buffer;
}

/** What is kept of an answer; of a table or view only which is to be loaded again (`true`: the one of the name). */
type Kept = { reload: string | true } | { text: string | null };

const requestOf = (ctx: CatalogContext<never>, { key, raw }: Keyed) => ({
  key,
  method: ctx.req.method,
  path: ctx.req.originalUrl,
  bodyHash: bodyHasher(ctx as Context)
    .update(raw)
    .digest(),
});

/** The first request with its key acts; the same request again gets an equivalent answer without acting. */
export async function answerOnce(
  ctx: CatalogContext<never>,
  route: CatalogRoute,
  keyed: Keyed,
  act: () => Promise<CatalogAnswer>,
): Promise<CatalogAnswer> {
  let first: CatalogAnswer | null = null;
  const stored = await once(ctx.db, ctx as Context, requestOf(ctx, keyed), async () => {
    first = await act();
    const kept: Kept = first.reload !== undefined ? { reload: first.reload } : { text: first.text?.toString() ?? null };
    return { status: first.status, body: kept };
  });
  if (first !== null) return first;
  const kept = stored.body as Kept;
  if ('reload' in kept) return route.replay!(ctx, kept.reload === true ? null : kept.reload);
  if (stored.status >= 400) throw refusalOf(stored.status, kept.text ?? '');
  return { status: stored.status as 200, ...(kept.text === null ? {} : { text: Buffer.from(kept.text) }) };
}

function refusalOf(status: number, text: string): CatalogRefusal {
  const { error } = JSON.parse(text) as CatalogRefusal['body'];
  return new CatalogRefusal(error.type as CatalogRefusal['type'], error.message, { status });
}

/** Keeps a refusal that the same request would meet again; one for want of a right is decided anew each time. */
export async function rememberRefusal(
  ctx: CatalogContext<never>,
  { endpoint }: CatalogRoute,
  keyed: Keyed,
  error: unknown,
): Promise<void> {
  if (!(error instanceof CatalogRefusal) && !isFinal(error)) return;
  const refusal = asRefusal(error, endpoint);
  if (refusal.status >= 500 || refusal.status === 403) return;
  const body: Kept = { text: JSON.stringify(refusal.body) };
  await inTransaction(ctx.deps.db, (tx) =>
    once(tx, ctx as Context, requestOf(ctx, keyed), async () => ({ status: refusal.status, body })),
  );
}
