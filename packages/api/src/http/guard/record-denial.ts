import { recordEvent } from '@svc/db/audit';
import type { Context } from '../context.ts';
import { type AccessDeniedError, denialDetail } from './denial.ts';

/** Writes AUTHORIZATION_DENIED outside the transaction, which is rolled back. */
export async function recordDenial(
  ctx: Context,
  { endpoint }: { endpoint: { method: string; path: string } },
  { denial }: AccessDeniedError,
): Promise<void> {
  ctx.deps.metrics.denied(denial.action ?? 'none');
  await recordEvent(ctx.deps.db.prisma, {
    id: ctx.deps.newId(),
    time: ctx.now,
    type: 'AUTHORIZATION_DENIED',
    principal: { id: ctx.caller.id, name: ctx.caller.name },
    object: denial.object,
    environmentId:
      denial.environmentId ?? (denial.object.environment === null ? null : (ctx.object.environment?.id ?? null)),
    requestId: ctx.requestId,
    detail: denialDetail(endpoint, denial),
  });
}
