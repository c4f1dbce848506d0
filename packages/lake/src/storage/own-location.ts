import { pathOfLocation } from '@svc/iceberg';

/** Path segments of dots, which change the target in a key as in a path. */
export const DOTS = /(^|\/)\.{1,2}(\/|$)/;

/**
 * Folders of the store in which every file must have a record that names it. The orphan sweep removes the others, so no table can be
 * in them.
 */
export const RECORDED_FOLDERS = ['staged', 'results', 'bundles', 'projects', 'artifacts', 'views', 'logs'] as const;
/** What the service stores outside tables: also the archived audit log, and the mark of the database. */
const SERVICE_FOLDERS = new Set<string>([...RECORDED_FOLDERS, 'audit', 'instance-id']);

/** Maximum length of a file name in bytes. */
const MAX_NAME_BYTES = 255;
/**
 * Maximum number of characters below the store's root: a bucket's keys have 1,024, and a table's own files need some of
 * them.
 */
const MAX_LOCATION_LENGTH = 512;

/**
 * Why an engine can't create a table at a location, or null if it can. A table may only refer to files in its own
 * folder, so the folder must not contain others: neither the store's folders nor those of another environment.
 *
 * @param location in the store's canonical form
 */
export function locationError(root: string, environmentId: string, location: string): string | null {
  const named = pathOfLocation(location) ?? location;
  if (named.split('/').some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES))
    return `one of its segments is longer than ${MAX_NAME_BYTES} bytes`;
  if (location.length - root.length > MAX_LOCATION_LENGTH)
    return `it is longer than ${MAX_LOCATION_LENGTH} characters below the warehouse`;
  const [first = '', second, third] = location.slice(root.length + 1).split('/');
  if (first.startsWith('.') || SERVICE_FOLDERS.has(first)) return 'that folder is reserved for the service';
  if (first !== 'tables') return null;
  if (second === environmentId && third !== undefined) return null;
  return 'the folder "tables" is reserved for tables at default locations';
}
