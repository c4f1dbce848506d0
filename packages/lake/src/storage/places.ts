import { fileLocation, isWithin, pathOfLocation } from './locations.ts';
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
  const spelled = location.replace(/\/+$/, '');
  const segments = spelled.split(/[/\\]|%2f|%5c/i).map((segment) => segment.replaceAll(/%2e/gi, '.'));
  return segments.includes('..') || segments.includes('.') || spelled.includes('\0') ? null : spelled;
}

/** A store's own spelling of a location, wherever it lies; as it is where no store spells it so. */
export function spelledLocation(location: string): string {
  return (/^s3:\/\//.test(location) ? objectSpelling(location) : fileSpelling(location)) ?? location;
}

/** Folders of the store that hold what is no table: what somebody loaded, queried, deployed. */
const SERVICE_FOLDERS = new Set(['staged', 'results', 'bundles', 'projects', 'artifacts', 'views']);

/**
 * Why a table that an engine wants at a location may not lie there, or null. Its own folder is all a table may name, so
 * it may be none that holds others: neither the store's folders, nor those of another environment.
 *
 * @param location in the store's spelling
 */
export function refusedPlace(root: string, environmentId: string, location: string): string | null {
  const [first = '', second, third] = location.slice(root.length + 1).split('/');
  if (first.startsWith('.') || SERVICE_FOLDERS.has(first)) return "that folder is the service's own";
  if (first !== 'tables') return null;
  if (second === environmentId && third !== undefined) return null;
  return 'the folder "tables" holds those of all environments';
}
