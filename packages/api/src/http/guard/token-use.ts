import type { TokenUse } from '@svc/db/access';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { clientAddress } from '../request/client-address.ts';
import { sessionOf } from '../request/session-request.ts';

const MINUTE_MS = 60_000;
const MAX_CLIENT = 200;

/**
 * Records when tokens are used, at most once a minute for each token and server. Requests don't wait for it, and if it fails,
 * the next minute stores a later use.
 */
export class TokenUses {
  private readonly store: (use: TokenUse) => Promise<void>;
  private readonly log: Logger;
  /** The tokens whose use this minute has recorded. */
  private readonly recorded = new Set<string>();
  private minute = -1;
  private readonly pending = new Set<Promise<void>>();

  constructor(store: (use: TokenUse) => Promise<void>, log: Logger) {
    this.store = store;
    this.log = log;
  }

  note(id: string, req: Request, at: Date): void {
    const minute = Math.floor(at.getTime() / MINUTE_MS);
    if (minute !== this.minute) {
      this.recorded.clear();
      this.minute = minute;
    }
    if (this.recorded.has(id)) return;
    this.recorded.add(id);
    const stored = this.store({ id, at, ...origin(req) })
      .catch((error: unknown) => this.log.warn({ err: error }, 'the use of a token was not recorded'))
      .finally(() => this.pending.delete(stored));
    this.pending.add(stored);
  }

  /** Resolves once the uses so far are stored. */
  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }
}

function origin(req: Request): { address: string; client: string | null } {
  const session = sessionOf(req);
  const address = session?.origin.address ?? clientAddress(req);
  const client = session === null ? req.get('user-agent') : session.origin.application;
  const shown = (client ?? '').replaceAll(/[\x00-\x1f\x7f]/g, '').slice(0, MAX_CLIENT);
  return { address, client: shown === '' ? null : shown };
}
