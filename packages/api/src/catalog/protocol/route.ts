import { CATALOG_ENDPOINTS, type CatalogEndpoint, type CatalogOperation } from '@svc/core/catalog';
import type * as z from 'zod';
import type { CatalogContext } from './context.ts';
import type { CatalogResponse } from './response.ts';

/**
 * An operation of the protocol with its handler. The handler of a change runs inside the request's single transaction.
 */
export interface CatalogRoute {
  endpoint: CatalogEndpoint;
  body: z.ZodType | null;
  handle: (ctx: CatalogContext<never>) => Promise<CatalogResponse>;
  /** Denies, before the body is read, callers who lack the permission on everything inside the path's object. */
  authorize: ((ctx: CatalogContext) => Promise<void>) | null;
  /**
   * Does the same for a change whose body names the object, so that the error can name it, too. It is called after the
   * body is read, before an unreadable body (`undefined`) is reported, and before a stored response is replayed.
   */
  authorizeNamed: ((ctx: CatalogContext<never>) => Promise<void>) | null;
  /** Whether the handler runs without a transaction: its change is a single statement, or it opens one itself. */
  needsNoTransaction: ((ctx: CatalogContext<never>) => boolean) | null;
  /**
   * Builds the response to a repeated request with the same Idempotency-Key, for callers who currently have permission.
   * `id` identifies the created object; null if it was not stored.
   */
  replay: ((ctx: CatalogContext<never>, id: string | null) => Promise<CatalogResponse>) | null;
  /** Does the same from the text that was stored, which has no secrets. */
  complete: ((ctx: CatalogContext<never>, text: string) => Promise<CatalogResponse>) | null;
}

interface ChangeOptions<B> {
  authorize?: (ctx: CatalogContext) => Promise<void>;
  authorizeNamed?: (ctx: CatalogContext<B | undefined>) => Promise<void>;
  needsNoTransaction?: (ctx: CatalogContext<B>) => boolean;
  replay?: (ctx: CatalogContext<B>, id: string | null) => Promise<CatalogResponse>;
  complete?: (ctx: CatalogContext<B>, text: string) => Promise<CatalogResponse>;
}

const NOTHING_MORE = { authorize: null, authorizeNamed: null, needsNoTransaction: null, replay: null, complete: null };

export function operation(
  id: CatalogOperation,
  handle: (ctx: CatalogContext) => Promise<CatalogResponse>,
): CatalogRoute {
  return { endpoint: CATALOG_ENDPOINTS[id], body: null, handle, ...NOTHING_MORE };
}

/** An operation with a body. */
export function change<B extends z.ZodType>(
  id: CatalogOperation,
  body: B,
  handle: (ctx: CatalogContext<z.output<B>>) => Promise<CatalogResponse>,
  more: ChangeOptions<z.output<B>> = {},
): CatalogRoute {
  return { endpoint: CATALOG_ENDPOINTS[id], body, handle, ...NOTHING_MORE, ...more };
}
