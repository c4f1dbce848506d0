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
  /**
   * The same for a change whose body names what it is about, so that the refusal can: called once the body is read, and
   * before anything is made of one that cannot be read (`undefined`), as before a repetition is answered.
   */
  admitNamed: ((ctx: CatalogContext<never>) => Promise<void>) | null;
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
  admitNamed?: (ctx: CatalogContext<B | undefined>) => Promise<void>;
  single?: (ctx: CatalogContext<B>) => boolean;
  replay?: (ctx: CatalogContext<B>, id: string | null) => Promise<CatalogAnswer>;
}

const NOTHING_MORE = { admit: null, admitNamed: null, single: null, replay: null };

export function operation(id: CatalogOperation, handle: (ctx: CatalogContext) => Promise<CatalogAnswer>): CatalogRoute {
  return { endpoint: CATALOG_ENDPOINTS[id], body: null, handle, ...NOTHING_MORE };
}

/** An operation with a body. */
export function change<B extends z.ZodType>(
  id: CatalogOperation,
  body: B,
  handle: (ctx: CatalogContext<z.output<B>>) => Promise<CatalogAnswer>,
  more: ChangeOptions<z.output<B>> = {},
): CatalogRoute {
  return { endpoint: CATALOG_ENDPOINTS[id], body, handle, ...NOTHING_MORE, ...more };
}
