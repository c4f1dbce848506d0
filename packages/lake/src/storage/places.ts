import { trimEnd } from '@svc/core/contract';
import { fileLocation, isDirect, isWithin, pathOfLocation } from './locations.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * The store's own spelling of a location that an engine wrote, without a trailing slash: `file:/a` and `/a` for
 * `file:///a`. Null for what does not lie below the store's root. A bucket has one spelling, `s3://`: metadata name files
 * by other ones (`s3a://`) for engines that know them, which not all do.
 */
export function canonicalLocation({ root }: Pick<ObjectStore, 'root'>, location: string): string | null {
  const spelled = root.startsWith('file:') ? fileSpelling(location) : objectSpelling(location);
  return spelled !== null && spelled !== root && isWithin(root, spelled) ? spelled : null;
}

function fileSpelling(location: string): string | null {
  const named = pathOfLocation(location);
  return named === null ? null : fileLocation(named);
}

function objectSpelling(location: string): string | null {
  const spelled = trimEnd(location, '/');
  return isDirect(spelled) ? spelled : null;
}

/** A store's own spelling of a location, wherever it lies; as it is where no store spells it so. */
export function spelledLocation(location: string): string {
  return (/^s3:\/\//.test(location) ? objectSpelling(location) : fileSpelling(location)) ?? location;
}

/** Folders of the store that hold what is no table: what somebody loaded, queried, deployed. */
const SERVICE_FOLDERS = new Set(['staged', 'results', 'bundles', 'projects', 'artifacts', 'views']);

/** Bytes of a name in a file system. */
const LONGEST_NAME = 255;
/** Characters below the store's root: a bucket's keys have 1,024, of which a table's own files need some. */
const LONGEST_PLACE = 512;

/**
 * Why a table that an engine wants at a location may not lie there, or null. Its own folder is all a table may name, so
 * it may be none that holds others: neither the store's folders, nor those of another environment.
 *
 * @param location in the store's spelling
 */
export function refusedPlace(root: string, environmentId: string, location: string): string | null {
  const named = pathOfLocation(location) ?? location;
  if (named.split('/').some((name) => Buffer.byteLength(name) > LONGEST_NAME))
    return `a part of it is longer than ${LONGEST_NAME} bytes`;
  if (location.length - root.length > LONGEST_PLACE)
    return `it is longer than ${LONGEST_PLACE} characters below the warehouse`;
  const [first = '', second, third] = location.slice(root.length + 1).split('/');
  if (first.startsWith('.') || SERVICE_FOLDERS.has(first)) return "that folder is the service's own";
  if (first !== 'tables') return null;
  if (second === environmentId && third !== undefined) return null;
  return 'the folder "tables" holds those of all environments';
}
