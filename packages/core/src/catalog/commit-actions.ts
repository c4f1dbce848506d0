import type { Action } from '../access/index.ts';

/** Updates that maintain a table without changing its rows. */
const MAINTENANCE = new Set([
  'remove-snapshots',
  'remove-snapshot-ref',
  'set-statistics',
  'remove-statistics',
  'set-partition-statistics',
  'remove-partition-statistics',
  'remove-partition-specs',
  'remove-schemas',
]);

interface CommitRequest {
  readonly requirements: readonly { readonly type: string }[];
  readonly updates: readonly ({ readonly action: string } & Readonly<Record<string, unknown>>)[];
}

/** Whether a commit creates the table. */
export const isCreate = ({ requirements }: Pick<CommitRequest, 'requirements'>): boolean =>
  requirements.some(({ type }) => type === 'assert-create');

/**
 * The actions that a commit on an existing table needs: all lists must be met, each by any one of its actions. Expiring
 * snapshots needs MAINTAIN_TABLE, like the service's own maintenance. Dropping `main`, or a snapshot that a branch or
 * tag still references (`referenced`), removes rows and is a write.
 */
export function commitActions(
  { updates }: CommitRequest,
  referenced: (snapshotId: unknown) => boolean = () => false,
): readonly (readonly Action[])[] {
  const writes = updates.some((update) => isWrite(update, referenced));
  const expires = updates.some(({ action }) => action === 'remove-snapshots');
  if (writes) return expires ? [['WRITE_TABLE'], ['MAINTAIN_TABLE']] : [['WRITE_TABLE']];
  return expires ? [['MAINTAIN_TABLE']] : [['WRITE_TABLE', 'MAINTAIN_TABLE']];
}

function isWrite(
  update: { readonly action: string } & Readonly<Record<string, unknown>>,
  referenced: (snapshotId: unknown) => boolean,
): boolean {
  if (!MAINTENANCE.has(update.action)) return true;
  if (update.action === 'remove-snapshot-ref') return update['ref-name'] === 'main';
  if (update.action !== 'remove-snapshots') return false;
  const ids = update['snapshot-ids'];
  return Array.isArray(ids) && ids.some(referenced);
}
