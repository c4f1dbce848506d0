import { type Grant, scopeOf } from '@svc/core/access';
import type { RemovedGrant } from '@svc/db/access';
import { recordEvents } from '@svc/db/audit';
import type { AuditInput, Context } from '../http/context.ts';

/** The event for a created or revoked grant; `environmentId` is the environment of its object. */
export function grantEvent(
  type: 'GRANT_CREATED' | 'GRANT_REVOKED',
  { grant, environmentId }: { grant: Grant; environmentId: string | null },
): AuditInput {
  const { last_used_at: _, ...detail } = grant;
  return { type, object: scopeOf(grant), environmentId, detail };
}

/** Records grants that removed, either revoked directly or deleted with their principal, group or namespace. */
export function auditRevoked(ctx: Pick<Context, 'db' | 'event'>, removed: readonly RemovedGrant[]): Promise<void> {
  return recordEvents(
    ctx.db,
    removed.map((grant) => ctx.event(grantEvent('GRANT_REVOKED', grant))),
  );
}
