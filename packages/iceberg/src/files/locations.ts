import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { trimEnd } from '@svc/core/contract';
import { StorageError } from '../errors/storage-error.ts';

/** The `file:///…` URL of an absolute path, without a trailing slash. */
export function fileLocation(absolutePath: string): string {
  return trimEnd(pathToFileURL(path.resolve(absolutePath)).href, '/');
}

/** Appends parts to a location. Each part is escaped, so a hostile name stays one part. */
export function joinLocation(location: string, ...parts: readonly string[]): string {
  for (const part of parts) {
    if (part === '' || part === '.' || part === '..' || part.includes('/') || part.includes('\0')) {
      throw new StorageError('outside', 'A segment of a location must not be empty, "." or "..", or contain "/".');
    }
  }
  return [trimEnd(location, '/'), ...parts.map(encodeURIComponent)].join('/');
}

/**
 * Whether a location names its file directly: without dot segments, however they are escaped, and without characters
 * that end it early.
 */
export function isDirect(location: string): boolean {
  if (/\0|%00/.test(location) || !location.isWellFormed()) return false;
  const segments = location.split(/[/\\]|%2f|%5c/i).map((s) => s.replaceAll(/%2e/gi, '.'));
  return !segments.includes('..') && !segments.includes('.');
}

/**
 * The path of a file location: `file:///a`, `file:/a` as some engines write it, or a bare absolute path. Null for
 * anything else: a table location never needs dot segments, NUL, lone surrogates, hosts, queries or fragments.
 */
export function pathOfLocation(location: string): string | null {
  if (!isDirect(location)) return null;
  if (location.startsWith('/') && !location.startsWith('//')) return location;
  if (!/^file:\/(?:\/\/)?[^/]/i.test(location) || /[?#]/.test(location)) return null;
  try {
    return fileURLToPath(location);
  } catch {
    return null;
  }
}

/** True if `location` is `outer` or is below it; both in the store's canonical form. */
export function isWithin(outer: string, location: string): boolean {
  const base = trimEnd(outer, '/');
  return location === base || location.startsWith(`${base}/`);
}

/**
 * The store's canonical form of a location that an engine wrote, without a trailing slash: `file:///a` for `file:/a`
 * and `/a`. Null if it isn't below the store's root. The canonical schemes of buckets are `s3://`, `gs://` and `abfss://`.
 * Metadata may use others (`s3a://`), which not all engines know.
 */
export function canonicalLocation({ root }: { readonly root: string }, location: string): string | null {
  const normalized = root.startsWith('file:') ? normalizeFile(location) : normalizeObject(location);
  return normalized !== null && normalized !== root && isWithin(root, normalized) ? normalized : null;
}

function normalizeFile(location: string): string | null {
  const named = pathOfLocation(location);
  return named === null ? null : fileLocation(named);
}

function normalizeObject(location: string): string | null {
  const normalized = trimEnd(location, '/');
  return isDirect(normalized) ? normalized : null;
}

/** The canonical form of a location, wherever it is; unchanged if no store has such locations. */
export function normalizeLocation(location: string): string {
  return (/^(?:s3|gs|abfss):\/\//.test(location) ? normalizeObject(location) : normalizeFile(location)) ?? location;
}
