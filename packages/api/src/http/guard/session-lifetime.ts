import { type Caller, extendToken } from '@svc/db/access';
import type { Database } from '@svc/db/connection';

/** How long a browser's session lasts without a request, and in total. */
export const BROWSER_SESSION = { idleMs: 2 * 3_600_000, totalMs: 12 * 3_600_000 };
/** Storing every use would make reads write. */
const EXTEND_AFTER_MS = 5 * 60_000;

/**
 * Lets the session of a cookie last for a while after this request. Returns false if its token can't carry one: tokens of
 * other kinds don't end when a browser is signed out, and a session may have been revoked since it was read.
 */
export async function extendSession(db: Database, token: Caller['token'], now: Date): Promise<boolean> {
  if (token.kind !== 'session' || token.expires_at === null) return false;
  const { idleMs, totalMs } = BROWSER_SESSION;
  const expiresAt = new Date(Math.min(now.getTime() + idleMs, token.created_at.getTime() + totalMs));
  const gained = expiresAt.getTime() - token.expires_at.getTime();
  if (gained < EXTEND_AFTER_MS) return true;
  token.expires_at = expiresAt;
  return extendToken(db.prisma, { id: token.id, expiresAt });
}
