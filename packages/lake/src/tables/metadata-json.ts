import { isSafeNumber, parse, stringify } from 'lossless-json';
import { type TableMetadata, UnsupportedTableError } from './metadata.ts';
import { fromVersion1 } from './metadata-v1.ts';

/** JSON with 64 bit integers kept: a number while exact, else a bigint. */
export function parseLossless(text: string): unknown {
  return parse(text, null, (number) => {
    if (/^-?\d+$/.test(number) && !isSafeNumber(number)) return BigInt(number);
    return Number(number);
  });
}

/** Writes bigints as plain JSON numbers; `undefined` members are left out. */
export function stringifyLossless(value: unknown): string {
  return stringify(value) ?? 'null';
}

const MAX_METADATA_BYTES = 256 * 1024 * 1024;

/**
 * Reads a metadata file; what other writers may leave out gets its default of the Iceberg specification. A table of format
 * version 1 is given as the version 2 that its next commit makes of it.
 *
 * @throws UnsupportedTableError for what is no metadata, or of a version that this service does not know
 */
export function parseMetadata(file: Uint8Array | string): TableMetadata {
  if (file.length > MAX_METADATA_BYTES) throw new UnsupportedTableError('The table metadata file is too large.');
  let raw: unknown;
  try {
    raw = parseLossless(typeof file === 'string' ? file : Buffer.from(file).toString('utf8'));
  } catch {
    throw new UnsupportedTableError('The table metadata file is not JSON.');
  }
  if (typeof raw !== 'object' || raw === null) throw new UnsupportedTableError('The table metadata is no object.');
  const given = raw as { readonly 'format-version'?: unknown };
  const version = given['format-version'];
  const upgraded = version === 1 ? fromVersion1(raw) : raw;
  if (version !== 1 && version !== 2 && version !== 3) {
    throw new UnsupportedTableError(
      `The table is in Iceberg format version ${String(version)}; this service works with the versions 1, 2 and 3.`,
    );
  }
  const metadata = upgraded as Partial<TableMetadata>;
  for (const key of ['table-uuid', 'location', 'schemas', 'current-schema-id', 'last-column-id'] as const) {
    if (metadata[key] === undefined) throw new UnsupportedTableError(`The table metadata lacks "${key}".`);
  }
  return withDefaults(metadata as TableMetadata);
}

function withDefaults(metadata: TableMetadata): TableMetadata {
  const current = metadata['current-snapshot-id'] ?? -1;
  const refs = metadata.refs ?? {};
  return {
    ...metadata,
    location: metadata.location.replace(/\/+$/, ''),
    'last-sequence-number': metadata['last-sequence-number'] ?? 0,
    'partition-specs': metadata['partition-specs'] ?? [{ 'spec-id': 0, fields: [] }],
    'default-spec-id': metadata['default-spec-id'] ?? 0,
    'last-partition-id': metadata['last-partition-id'] ?? 999,
    'sort-orders': metadata['sort-orders'] ?? [{ 'order-id': 0, fields: [] }],
    'default-sort-order-id': metadata['default-sort-order-id'] ?? 0,
    properties: metadata.properties ?? {},
    'current-snapshot-id': current,
    snapshots: metadata.snapshots ?? [],
    'snapshot-log': metadata['snapshot-log'] ?? [],
    'metadata-log': metadata['metadata-log'] ?? [],
    refs: current !== -1 && !refs['main'] ? { ...refs, main: { 'snapshot-id': current, type: 'branch' } } : refs,
  };
}

/** Texts of parts that many versions of a table's metadata share: its snapshots are never changed. */
const texts = new WeakMap<object, string>();

function textOf(part: unknown): string {
  if (typeof part !== 'object' || part === null) return stringifyLossless(part);
  const known = texts.get(part);
  if (known !== undefined) return known;
  const text = stringifyLossless(part);
  texts.set(part, text);
  return text;
}

/** The text of a metadata file. Its cost does not grow with the snapshots that were there before. */
export function formatMetadata(metadata: TableMetadata): string {
  const members = Object.entries(metadata).filter(([, value]) => value !== undefined);
  const written = members.map(([name, value]) => {
    const text = Array.isArray(value) ? `[${value.map(textOf).join(',')}]` : stringifyLossless(value);
    return `${JSON.stringify(name)}:${text}`;
  });
  return `{${written.join(',')}}`;
}
