import { trimEnd } from '@svc/core/contract';
import { fileLocation, isDirect, isWithin, pathOfLocation } from './locations.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * The store's canonical form of a location that an engine wrote, without a trailing slash: `file:///a` for `file:/a`
 * and `/a`. Null if it isn't below the store's root. The canonical scheme of a bucket is `s3://`. Metadata may use
 * others (`s3a://`), which not all engines know.
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

/** The canonical form of a location, wherever it is; unchanged if no store has such locations. */
export function spelledLocation(location: string): string {
  return (/^s3:\/\//.test(location) ? objectSpelling(location) : fileSpelling(location)) ?? location;
}

/** Folders of the store for objects other than tables: loaded files, query results, deployments. */
const SERVICE_FOLDERS = new Set(['staged', 'results', 'bundles', 'projects', 'artifacts', 'views']);

/** Maximum length of a file name in bytes. */
const LONGEST_NAME = 255;
/**
 * Maximum number of characters below the store's root: a bucket's keys have 1,024, and a table's own files need some of
 * them.
 */
const LONGEST_PLACE = 512;

/**
 * Why an engine can't create a table at a location, or null if it can. A table may only refer to files in its own
 * folder, so the folder must not contain others: neither the store's folders nor those of another environment.
 *
 * @param location in the store's canonical form
 */
export function refusedPlace(root: string, environmentId: string, location: string): string | null {
  const named = pathOfLocation(location) ?? location;
  if (named.split('/').some((name) => Buffer.byteLength(name) > LONGEST_NAME))
    return `one of its segments is longer than ${LONGEST_NAME} bytes`;
  if (location.length - root.length > LONGEST_PLACE)
    return `it is longer than ${LONGEST_PLACE} characters below the warehouse`;
  const [first = '', second, third] = location.slice(root.length + 1).split('/');
  if (first.startsWith('.') || SERVICE_FOLDERS.has(first)) return 'that folder is reserved for the service';
  if (first !== 'tables') return null;
  if (second === environmentId && third !== undefined) return null;
  return 'the folder "tables" is reserved for tables at default locations';
}
