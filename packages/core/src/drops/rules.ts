import type { TableKind } from '../tables/index.ts';

/** Why a table was dropped, as TABLE_DROPPED records it (DROP-1). */
export const DROP_REASONS = ['user', 'purge', 'environment_deleted', 'retention'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

const DAY_MS = 86_400_000;

/**
 * svc deletes only the files of managed tables and artifacts. It never deletes those of an external table, and a view
 * has none (DROP-3).
 */
export const ownsFiles = (kind: TableKind): boolean => kind === 'managed' || kind === 'artifact';

/**
 * The end of a drop's undo period (DROP-1, DROP-2); null for tables without files. `undoDays` is the setting at the
 * time of the drop, 0 to 365; an expiry can be undone for a day at least.
 */
export function purgeAfter(drop: { kind: TableKind; reason: DropReason; undoDays: number; now: Date }): Date | null {
  const { kind, reason, undoDays, now } = drop;
  if (!ownsFiles(kind)) return null;
  if (reason === 'purge') return now;
  const days = reason === 'retention' ? Math.max(1, undoDays) : undoDays;
  return new Date(now.getTime() + days * DAY_MS);
}

/** The part of a drop that decides whether it can be undone. */
export interface Drop {
  reason: DropReason;
  purgeAfter: Date | null;
  purgeStartedAt: Date | null;
}

/** Why a drop can't be undone, as error codes (DROP-9). */
export type UndropFailure = 'dropped-with-purge' | 'purge-started' | 'undo-period-over';

/** Why a drop can't be undone; null until its period ends or the deletion of its files starts (DROP-5). */
export function undropFailure(drop: Drop, now: Date): UndropFailure | null {
  if (drop.reason === 'purge') return 'dropped-with-purge';
  if (drop.purgeStartedAt !== null) return 'purge-started';
  if (drop.purgeAfter === null || drop.purgeAfter.getTime() <= now.getTime()) return 'undo-period-over';
  return null;
}

/**
 * The drop that an undrop restores, from the drops of one name, newest first: the newest that can be undone, otherwise
 * the newest, whose refusal the caller sees.
 */
export function chooseDrop<D extends Drop>(drops: readonly D[], now: Date): D | null {
  return drops.find((drop) => undropFailure(drop, now) === null) ?? drops[0] ?? null;
}
