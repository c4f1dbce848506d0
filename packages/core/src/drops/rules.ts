import type { TableKind } from '../tables/index.ts';

/** Why a table was dropped (specification 6, TABLE_DROPPED). */
export const DROP_REASONS = ['user', 'purge', 'environment_deleted', 'retention'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

const DAY_MS = 86_400_000;

/** Managed tables and artifacts have files that are ours; an external table's are never deleted, a view has none. */
export const ownsFiles = (kind: TableKind): boolean => kind === 'managed' || kind === 'artifact';

/**
 * The end of a drop's undo period; null for what has no files (specification 3.3). `undoDays` is the setting at the
 * time of the drop, 0 to 365; an expiry can be undone for a day at least.
 */
export function purgeAfter(drop: { kind: TableKind; reason: DropReason; undoDays: number; now: Date }): Date | null {
  const { kind, reason, undoDays, now } = drop;
  if (!ownsFiles(kind)) return null;
  if (reason === 'purge') return now;
  const days = reason === 'retention' ? Math.max(1, undoDays) : undoDays;
  return new Date(now.getTime() + days * DAY_MS);
}

/** A drop as far as its undoing goes. */
export interface Drop {
  reason: DropReason;
  purgeAfter: Date | null;
  purgeStartedAt: Date | null;
}

/** Why a drop cannot be undone any more, as error codes. */
export type UndropRefusal = 'dropped-with-purge' | 'purge-started' | 'undo-period-over';

/** Null while a drop can be undone: until its period ends or the deletion of its files begins. */
export function undropRefusal(drop: Drop, now: Date): UndropRefusal | null {
  if (drop.reason === 'purge') return 'dropped-with-purge';
  if (drop.purgeStartedAt !== null) return 'purge-started';
  if (drop.purgeAfter === null || drop.purgeAfter.getTime() <= now.getTime()) return 'undo-period-over';
  return null;
}

/** Which of several drops of one name, newest first, an undrop means: the newest that can be undone, else the newest. */
export function chooseDrop<D extends Drop>(drops: readonly D[], now: Date): D | null {
  return drops.find((drop) => undropRefusal(drop, now) === null) ?? drops[0] ?? null;
}
