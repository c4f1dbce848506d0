import type { IncomingMessage } from 'node:http';
import type { QueryOrigin } from '@svc/core/queries';

/** What a session of another protocol adds to a statement that it sends through the REST interface. No HTTP client can set it. */
export interface SessionRequest {
  readonly origin: QueryOrigin;
  /** The namespaces in which names without one are looked up, in order. */
  readonly searchPath: readonly string[];
  /** Whether the statement is only described: its columns, and the types of its parameters, whose values are unknown. */
  readonly describe: boolean;
  /** Called with the id of the query before it is stored, so that the session can cancel it. */
  readonly onStart: (id: string) => void;
}

const SESSIONS = new WeakMap<object, SessionRequest>();

export function addSession(req: IncomingMessage, session: SessionRequest): void {
  SESSIONS.set(req, session);
}

/** Null for a request that came over HTTP. */
export const sessionOf = (req: IncomingMessage): SessionRequest | null => SESSIONS.get(req) ?? null;
