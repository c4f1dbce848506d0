import { createHash } from 'node:crypto';

/** Smaller OIDs belong to PostgreSQL's own objects. */
const FIRST = 16_384;
/** Clients read OIDs as signed integers too. */
const COUNT = 2 ** 31 - 1 - FIRST;

/**
 * Assigns OIDs to the objects with these ids. They depend only on the ids, except for the rare object whose hash another one
 * has, so that all sessions and processes see the same.
 */
export function assignOids(ids: readonly string[]): ReadonlyMap<string, number> {
  const taken = new Set<number>();
  const oids = new Map<string, number>();
  for (const id of [...ids].sort()) {
    let oid = FIRST + (createHash('sha1').update(id).digest().readUInt32BE(0) % COUNT);
    while (taken.has(oid)) oid = oid + 1 < FIRST + COUNT ? oid + 1 : FIRST;
    taken.add(oid);
    oids.set(id, oid);
  }
  return oids;
}
