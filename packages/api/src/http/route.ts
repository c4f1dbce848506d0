import type { Readable } from 'node:stream';
import type { AnyEndpoint, Endpoint, Shape } from '@svc/core/contract';
import type { Position } from '@svc/db/paging';
import type * as z from 'zod';
import type { Context } from './context.ts';

type Input<T> = T extends z.ZodType ? z.output<T> : Record<string, never>;
type BodyOf<T> = T extends z.ZodType ? z.output<T> : undefined;

/** A page of a list: its rows and the position of the next page (any JSON), or null on the last page. */
export class PageResponse<T> {
  readonly items: T[];
  readonly next: Position | unknown | null;
  constructor(items: T[], next: unknown | null) {
    this.items = items;
    this.next = next;
  }
}

/** A streamed response, such as a file. */
export class StreamResponse {
  readonly type: string;
  readonly body: Readable;
  readonly headers: Record<string, string>;
  /** Whether the body itself ends when its caller may no longer receive it. */
  readonly checksCaller: boolean;
  constructor(type: string, body: Readable, headers: Record<string, string> = {}, { checksCaller = false } = {}) {
    this.type = type;
    this.body = body;
    this.headers = headers;
    this.checksCaller = checksCaller;
  }
}

/** A response with a success status other than the contract's first one. */
export class StatusResponse<T> {
  readonly status: number;
  readonly body: T;
  constructor(status: number, body: T) {
    this.status = status;
    this.body = body;
  }
}

type Result<A extends z.ZodType> =
  | z.output<A>
  | PageResponse<A extends z.ZodArray<infer I extends z.ZodType> ? z.output<I> : never>
  | StreamResponse
  | StatusResponse<unknown>
  | undefined;

export type Handler<P extends Shape, Q extends Shape, B extends z.ZodType, A extends z.ZodType, R = undefined> = (
  ctx: Context<Input<P>, Input<Q>, BodyOf<B>>,
  received: R,
) => Promise<Result<A>>;

/**
 * The result of receiving a streamed body before the transaction starts, with the hash that Idempotency-Key compares.
 */
export interface Received<R> {
  value: R;
  bodyHash: Buffer;
  /** Called when the request is rejected or replayed. */
  discard: () => Promise<void>;
}

/** An endpoint with its handler. The handler of a change runs inside the request's single transaction. */
export interface Route {
  endpoint: AnyEndpoint;
  handle: (ctx: Context<never, never, never>, received: unknown) => Promise<unknown>;
  /** For a `decided` route: throws the error for callers who are denied regardless of parameters and body. */
  authorize?: (ctx: Context<never, never, never>) => unknown;
  /** Whether the handler runs without a transaction: its change is a single statement, or it opens one itself. */
  needsNoTransaction?: (ctx: Context<never, never, never>) => boolean;
  receive?: (ctx: Context<never, never, never>) => Promise<Received<unknown>>;
  /** Replaces the response of a committed or replayed change. */
  afterCommit?: (ctx: Context<never, never, never>, response: unknown) => Promise<unknown>;
}

export function route<P extends Shape, Q extends Shape, B extends z.ZodType, A extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, A>,
  handle: Handler<P, Q, B, A>,
  authorize?: (ctx: Context<Input<P>>) => unknown,
): Route {
  return {
    endpoint: endpoint as unknown as AnyEndpoint,
    handle: handle as unknown as Route['handle'],
    ...(authorize === undefined ? {} : { authorize: authorize as unknown as NonNullable<Route['authorize']> }),
  };
}

/**
 * A route whose handler runs without a transaction for the requests that `needsNoTransaction` selects; `afterCommit` builds the response
 * once the change is committed.
 */
export function routeWithoutTransaction<P extends Shape, Q extends Shape, B extends z.ZodType, A extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, A>,
  handle: Handler<P, Q, B, A>,
  {
    needsNoTransaction,
    afterCommit,
  }: {
    needsNoTransaction: (ctx: Context<Input<P>, Input<Q>, BodyOf<B>>) => boolean;
    afterCommit?: (ctx: Context<Input<P>, Input<Q>>, response: z.output<A>) => Promise<z.output<A>>;
  },
): Route {
  return {
    ...route(endpoint, handle),
    needsNoTransaction: needsNoTransaction as unknown as NonNullable<Route['needsNoTransaction']>,
    ...(afterCommit === undefined ? {} : { afterCommit: afterCommit as unknown as NonNullable<Route['afterCommit']> }),
  };
}

/** A route with a streamed body: `receive` stores it outside the transaction, and `handle` commits it. */
export function uploadRoute<P extends Shape, Q extends Shape, B extends z.ZodType, A extends z.ZodType, R>(
  endpoint: Endpoint<P, Q, B, A>,
  receive: (ctx: Context<Input<P>, Input<Q>, undefined>) => Promise<Received<R>>,
  handle: Handler<P, Q, z.ZodUndefined, A, R>,
): Route {
  return {
    endpoint: endpoint as unknown as AnyEndpoint,
    receive: receive as unknown as NonNullable<Route['receive']>,
    handle: handle as unknown as Route['handle'],
  };
}
