import type { Position } from '@svc/db/paging';

/** A position as a cursor carries it: the time as text. */
export function positionOf(stored: { at: string | Date; id: string } | null): Position | null {
  return stored === null ? null : { at: new Date(stored.at), id: stored.id };
}
