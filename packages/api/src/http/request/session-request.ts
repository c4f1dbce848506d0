import type { IncomingMessage } from 'node:http';
import type { QueryOrigin } from '@svc/core/queries';

/** What a session of another protocol adds to a statement that it sends through the REST interface. No HTTP client can set it. */
export interface SessionRequest {
  readonly origin: QueryOrigin;
  /** The namespaces in which names without one are looked up, in order. */
  readonly searchPath: readonly string[];
  /** Whether the statement is only described: its columns, and the types of its parameters, whose values are unknown. */
  readonly describe: boolean;
  /** Called with the id of the query as soon as it is stored: from then on the session can cancel it. */
  readonly onStored: (id: string) => void;
}

/** By connection: only this process can open one that has an entry. */
const SESSIONS = new WeakMap<object, SessionRequest>();

export function addSession(connection: object, session: SessionRequest): void {
  SESSIONS.set(connection, session);
}

/** Null for a request of an HTTP client. */
export const sessionOf = ({ socket }: Pick<IncomingMessage, 'socket'>): SessionRequest | null =>
  SESSIONS.get(socket) ?? null;
