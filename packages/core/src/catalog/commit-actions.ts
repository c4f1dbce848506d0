import type { Action } from '../access/index.ts';

/** Updates that keep a table in order and change no row of it. */
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

interface Asked {
  readonly requirements: readonly { readonly type: string }[];
  readonly updates: readonly ({ readonly action: string } & Readonly<Record<string, unknown>>)[];
}

/** True of a commit that is to make the table. */
export const isCreate = ({ requirements }: Pick<Asked, 'requirements'>): boolean =>
  requirements.some(({ type }) => type === 'assert-create');

/**
 * What a commit on an existing table needs: each inner list is a choice, all lists must be met. Expiring snapshots is
 * MAINTAIN_TABLE's, as the service's own maintenance is; dropping `main`, or a snapshot that a branch or tag still names
 * (`referenced`), takes rows away and is a write.
 */
export function commitActions(
  { updates }: Asked,
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
