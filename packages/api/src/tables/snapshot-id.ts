import type { Snapshot } from '@svc/core/tables';
import type { Int64 } from '@svc/iceberg';

/** JSON numbers can't represent ids beyond 2^53 exactly, so those are sent as strings. */
export const wireId = (id: Int64): Snapshot['snapshot_id'] =>
  Number.isSafeInteger(Number(id)) ? Number(id) : String(id);
