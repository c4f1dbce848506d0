import { CATALOG_ENDPOINTS, type CatalogEndpoint, type CatalogOperation } from '@svc/core/catalog';
import type * as z from 'zod';
import type { CatalogAnswer } from './answer.ts';
import type { CatalogContext } from './context.ts';

/** An operation of the protocol with its handler; that of a change runs inside the one transaction of its request. */
export interface CatalogRoute {
  endpoint: CatalogEndpoint;
  body: z.ZodType | null;
  handle: (ctx: CatalogContext<never>) => Promise<CatalogAnswer>;
  /** Refuses, before the body is read, who may do this to nothing of what the path names. */
  admit: ((ctx: CatalogContext) => Promise<void>) | null;
  /** True of a request that changes by one statement, which needs no transaction around it. */
  single: ((ctx: CatalogContext<never>) => boolean) | null;
  /**
   * Shows what the first request made, to a repetition of it with the same Idempotency-Key: to who may have it now.
   * `id` is of what was made, null where that was not kept.
   */
  replay: ((ctx: CatalogContext<never>, id: string | null) => Promise<CatalogAnswer>) | null;
}

interface ChangeOptions<B> {
  admit?: (ctx: CatalogContext) => Promise<void>;
  single?: (ctx: CatalogContext<B>) => boolean;
  replay?: (ctx: CatalogContext<B>, id: string | null) => Promise<CatalogAnswer>;
}

export function operation(id: CatalogOperation, handle: (ctx: CatalogContext) => Promise<CatalogAnswer>): CatalogRoute {
  return { endpoint: CATALOG_ENDPOINTS[id], body: null, handle, admit: null, single: null, replay: null };
}

/** An operation with a body. */
export function change<B extends z.ZodType>(
  id: CatalogOperation,
  body: B,
  handle: (ctx: CatalogContext<z.output<B>>) => Promise<CatalogAnswer>,
  { admit, single, replay }: ChangeOptions<z.output<B>> = {},
): CatalogRoute {
  const options = { admit: admit ?? null, single: single ?? null, replay: replay ?? null };
  return { endpoint: CATALOG_ENDPOINTS[id], body, handle, ...options };
}
