import type * as z from 'zod';
import type { Action } from '../access/actions.ts';
import type { ObjectKind } from '../access/objects.ts';
import type { ErrorCode } from '../errors/index.ts';
import type { ClientMethod } from './client-method.ts';

/** What the person must do before a session can do anything else (ACCESS-39, FACTOR-9). */
export const SESSION_LIMITS = ['change-password', 'add-second-factor'] as const;
export type SessionLimit = (typeof SESSION_LIMITS)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The permission that a caller needs. The object is the one that the path names: `{env}`, `{path}`, `{name}`.
 * - `public`: no credential.
 * - `signed-in`: any credential, or with `taskTokens: false` any except a task token. `limitedSessions` also admits
 *   sessions with these limits.
 * - `action`: the action on the object of that kind. `orOwner` also admits the table's owner. `orSelf` also admits the
 *   principal that `{name}` names (never with a task token); its text explains the denial to everyone else.
 * - `decided`: the route decides, with the same function, after it has read what the decision depends on (a body, a
 *   record); `actions` lists the actions that it may check. `endsItself` also admits sessions with a limit that `{id}` names.
 */
export type Need =
  | { kind: 'public' }
  | { kind: 'signed-in'; taskTokens: boolean; limitedSessions?: readonly SessionLimit[] }
  | { kind: 'action'; action: Action; on: ObjectKind; orOwner?: boolean; orSelf?: string }
  | { kind: 'decided'; actions: readonly Action[]; rule: string; endsItself?: boolean };

export const signedIn: Need = { kind: 'signed-in', taskTokens: true };
/** What a session can always do: read who it is, and end. */
export const anySession: Need = { ...signedIn, limitedSessions: SESSION_LIMITS };
export const needs = (action: Action, on: ObjectKind, options: { orOwner?: boolean; orSelf?: string } = {}): Need => ({
  kind: 'action',
  action,
  on,
  ...options,
});
export const decided = (rule: string, ...actions: Action[]) => ({ kind: 'decided', actions, rule }) satisfies Need;

export type Shape = z.ZodObject;

/** A streamed body, passed to the route unread. */
export interface StreamBody {
  stream: readonly string[];
}

/** The response on success; `stream` lists the media types of a streamed response. */
export type ResponseSpec<A extends z.ZodType = z.ZodType> =
  | { status: number; schema: A; paged?: boolean; list?: boolean }
  | { status: 204 }
  | { status: 200; stream: readonly string[]; schema?: A };

export interface Endpoint<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
> {
  /** `<resource>.<verb>`: the OpenAPI operation id. */
  id: string;
  method: Method;
  /** May contain `{param}`s. */
  path: string;
  summary: string;
  needs: Need;
  params?: P;
  query?: Q;
  body?: B | StreamBody;
  bodyOptional?: boolean;
  /** Body fields that are stored encrypted as bytes, so their texts may contain NUL. */
  sealed?: readonly string[];
  response: ResponseSpec<A>;
  /** Other success responses, such as 202 if the work waits. */
  otherResponses?: Record<number, z.ZodType>;
  errors?: readonly ErrorCode[];
  /** Refuses Idempotency-Key, because the response shows a secret once or must not be replayed (HTTP-6). */
  noIdempotency?: boolean;
  /** The clients' method, if it is generated. */
  client?: ClientMethod;
}

/** Declares an endpoint, preserving the schemas' types for the server, the OpenAPI document and the SDK. */
export function endpoint<P extends Shape, Q extends Shape, B extends z.ZodType, A extends z.ZodType>(
  spec: Endpoint<P, Q, B, A>,
): Endpoint<P, Q, B, A> {
  return spec;
}

export type AnyEndpoint = Endpoint<Shape, Shape, z.ZodType, z.ZodType>;
export function isStreamBody(body: z.ZodType | StreamBody | undefined): body is StreamBody {
  return body !== undefined && 'stream' in body;
}
