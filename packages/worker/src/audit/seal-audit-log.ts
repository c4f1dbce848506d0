import { sealEvents } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import type { WorkerDeps } from '../work/deps.ts';

const BATCH = 2000;
const ADOPTED =
  'the audit log had no signature and has been signed in its current state. Run svc audit verify, then set SVC_AUDIT__ADOPT_UNSIGNED=false';

/** Numbers and chains committed audit events. Any worker may do this, one at a time. */
export async function sealAuditLog(deps: WorkerDeps, signal: AbortSignal): Promise<Record<string, number>> {
  const { db, headKeys: keys, settings, clock, newId, log } = deps;
  while (!signal.aborted) {
    const options = { limit: BATCH, keys, adoptUnsigned: settings.auditAdoptUnsigned, now: clock(), newId };
    const { sealed, signed } = await inTransaction(db, (tx) => sealEvents(tx, options));
    if (signed?.reason === 'upgrade') log.warn(signed, ADOPTED);
    if (sealed < BATCH) break;
  }
  // Not logged: sealing follows every event.
  return {};
}
