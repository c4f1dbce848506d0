import {
  checkViewMetadata,
  type FileStore,
  joinLocation,
  parseLossless,
  readLimited,
  requireModestJson,
  stringifyLossless,
  UnsupportedTableError,
} from '@svc/iceberg';
import type { ObjectStore } from '../storage/index.ts';
import type { ViewMetadata } from './metadata.ts';
import { readVersion } from './read-version.ts';

/** The folder of a view's metadata files. */
export function viewLocation({ root }: Pick<ObjectStore, 'root'>, environmentId: string, id: string): string {
  return `${root}/views/${environmentId}/${id}`;
}

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Writes a new metadata file to the view's folder and returns its location.
 *
 * @throws UnsupportedTableError if it would be too large to be read
 */
export async function writeViewMetadata(
  store: ObjectStore,
  folder: string,
  metadata: ViewMetadata,
  uuid: () => string,
): Promise<string> {
  const version = String(metadata['version-log'].length).padStart(5, '0');
  const location = joinLocation(`${folder}/metadata`, `${version}-${uuid()}.metadata.json`);
  const text = Buffer.from(stringifyLossless(metadata));
  if (text.length > MAX_BYTES)
    throw new UnsupportedTableError(
      `The metadata file of the view would have more than ${MAX_BYTES} bytes. Set fewer properties, or create the view again.`,
    );
  await store.write(location, text);
  return location;
}

/** The text of a view's metadata file, which an engine may have written. @throws UnsupportedTableError if it is too large */
export async function readViewText(store: FileStore, location: string): Promise<string> {
  return (await readLimited(store, location, MAX_BYTES, 'metadata file of the view')).toString();
}

/** Parses a view's metadata file; null if it isn't one. */
export function parseViewMetadata(text: string): ViewMetadata | null {
  let raw: unknown;
  try {
    requireModestJson(Buffer.from(text));
    raw = parseLossless(text);
  } catch {
    return null;
  }
  const metadata = raw as ViewMetadata | null;
  if (metadata?.['format-version'] !== 1) return null;
  try {
    checkViewMetadata(metadata);
  } catch (error) {
    if (error instanceof UnsupportedTableError) return null;
    throw error;
  }
  if (metadata.versions.some((version) => typeof readVersion(version) === 'string')) return null;
  const current = metadata.versions.find((v) => v['version-id'] === metadata['current-version-id']);
  if (current === undefined || !metadata.schemas.some((s) => s['schema-id'] === current['schema-id'])) return null;
  return { ...metadata, 'version-log': metadata['version-log'] ?? [], properties: metadata.properties ?? {} };
}
