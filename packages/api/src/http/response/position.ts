import type { Position } from '@svc/db/paging';

/** Converts a position to its form in a cursor, with the time as text. */
export function positionOf(stored: { at: string | Date; id: string } | null): Position | null {
  return stored === null ? null : { at: new Date(stored.at), id: stored.id };
}
