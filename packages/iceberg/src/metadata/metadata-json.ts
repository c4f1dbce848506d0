import { trimEnd } from '@svc/core/contract';
import { stringify } from 'lossless-json';
import { InvalidMetadataError, UnsupportedTableError } from '../errors/table-errors.ts';
import { checkMetadata } from './check-metadata.ts';
import { exceededLimit, METADATA_LIMITS, requireModestJson } from './json-size.ts';
import type { TableMetadata } from './metadata.ts';
import { fromVersion1 } from './metadata-v1.ts';
import { parseLossless } from './parse-lossless.ts';

/** Writes bigints as plain JSON numbers; omits `undefined` members. */
export function stringifyLossless(value: unknown): string {
  return stringify(value) ?? 'null';
}

/** Maximum bytes of a metadata file, unpacked too. */
export const MAX_METADATA_BYTES = 256 * 1024 * 1024;

/** Why a metadata file of this text couldn't be read, as the end of "It would …"; null if it could. */
export function refusalOfSize(text: Uint8Array): string | null {
  if (text.length > MAX_METADATA_BYTES) return `have more than ${MAX_METADATA_BYTES} bytes`;
  // Each value takes at least two bytes, so that only large files must be searched.
  const canExceed = text.length / 2 > METADATA_LIMITS.values;
  return canExceed && exceededLimit(text, METADATA_LIMITS) !== null
    ? `have more than ${METADATA_LIMITS.values} values`
    : null;
}

/**
 * Reads a metadata file. Fields that other writers may omit get the defaults of the Iceberg specification. Returns a
 * table of format version 1 as the version 2 that its next commit creates.
 *
 * @throws UnsupportedTableError for a file that isn't metadata, or has a version that this service doesn't support
 */
export function parseMetadata(file: Uint8Array | string): TableMetadata {
  if (file.length > MAX_METADATA_BYTES) throw new UnsupportedTableError('The table metadata file is too large.');
  requireModestJson(typeof file === 'string' ? Buffer.from(file) : file);
  let raw: unknown;
  try {
    raw = parseLossless(typeof file === 'string' ? file : Buffer.from(file).toString('utf8'));
  } catch {
    throw new UnsupportedTableError("The table metadata file isn't JSON.");
  }
  if (typeof raw !== 'object' || raw === null) throw new UnsupportedTableError("The table metadata isn't an object.");
  const version = (raw as { readonly 'format-version'?: unknown })['format-version'];
  if (version !== 1 && version !== 2 && version !== 3) {
    throw new UnsupportedTableError(
      `The table is in Iceberg format version ${String(version)}; svc supports versions 1, 2 and 3.`,
    );
  }
  const metadata = whole(raw, version);
  checkMetadata(metadata);
  return metadata;
}

/** The metadata in the form of version 2 or 3, with defaults, not yet validated. */
function whole(raw: object, version: 1 | 2 | 3): TableMetadata {
  try {
    return withDefaults((version === 1 ? fromVersion1(raw) : raw) as TableMetadata);
  } catch {
    throw new InvalidMetadataError('The table metadata is not valid: a list or an object in it has the wrong type.');
  }
}

function withDefaults(metadata: TableMetadata): TableMetadata {
  const current = metadata['current-snapshot-id'] ?? -1;
  const refs = metadata.refs ?? {};
  return {
    ...metadata,
    location: trimEnd(metadata.location, '/'),
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

/** A serialized list: the texts of its members separated by commas, and the end of each of them. */
interface ListText {
  readonly joined: Buffer;
  readonly ends: readonly number[];
}

/** Texts of lists that the next version of a table's metadata contains too or extends. */
const lists = new WeakMap<readonly unknown[], ListText>();
const COMMA = Buffer.from(',');
const EMPTY: ListText = { joined: Buffer.alloc(0), ends: [] };

/**
 * The text of a metadata file. Parts that are unchanged since the previous version are copied as bytes: a commit
 * serializes only its new snapshot.
 *
 * @param previous the version that this one is based on
 */
export function formatMetadata(metadata: TableMetadata, previous: TableMetadata | null = null): Buffer {
  const before = previous as Readonly<Record<string, unknown>> | null;
  const chunks: Buffer[] = [];
  const placed: { list: readonly unknown[]; at: number; text: ListText }[] = [];
  let length = 0;
  const add = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
  };
  for (const [name, value] of Object.entries(metadata)) {
    if (value === undefined) continue;
    const start = `${length === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    if (!Array.isArray(value)) {
      add(Buffer.from(start + stringifyLossless(value)));
      continue;
    }
    add(Buffer.from(`${start}[`));
    const text = listText(value, before?.[name]);
    placed.push({ list: value, at: length, text });
    add(text.joined);
    add(Buffer.from(']'));
  }
  add(Buffer.from('}'));
  const file = Buffer.concat(chunks, length);
  // The next version copies bytes from this file.
  for (const { list, at, text } of placed)
    lists.set(list, { joined: file.subarray(at, at + text.joined.length), ends: text.ends });
  return file;
}

function listText(list: readonly unknown[], before: unknown): ListText {
  const cached = lists.get(list);
  if (cached !== undefined) return cached;
  const previous: readonly unknown[] = Array.isArray(before) ? before : [];
  const text = lists.get(previous) ?? EMPTY;
  if (
    text.ends.length === previous.length &&
    list.length >= previous.length &&
    previous.every((part, i) => part === list[i])
  )
    return extended(text, list.slice(previous.length).map(textOf));
  const positions = new Map(previous.slice(0, text.ends.length).map((part, i) => [part, i]));
  const parts = list.map((part) => {
    const position = positions.get(part);
    return position === undefined ? textOf(part) : partOf(text, position);
  });
  return extended(EMPTY, parts);
}

const textOf = (part: unknown): Buffer => Buffer.from(stringifyLossless(part));

function partOf({ joined, ends }: ListText, i: number): Buffer {
  return joined.subarray(i === 0 ? 0 : ends[i - 1]! + 1, ends[i]);
}

function extended({ joined, ends }: ListText, added: readonly Buffer[]): ListText {
  const chunks = [joined];
  const allEnds = [...ends];
  let length = joined.length;
  for (const part of added) {
    if (allEnds.length > 0) {
      chunks.push(COMMA);
      length += 1;
    }
    chunks.push(part);
    length += part.length;
    allEnds.push(length);
  }
  return { joined: chunks.length === 1 ? joined : Buffer.concat(chunks, length), ends: allEnds };
}
