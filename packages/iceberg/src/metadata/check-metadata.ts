import {
  boolean,
  type Check,
  dictionary,
  list,
  long,
  memoized,
  object,
  oneOf,
  optional,
  refuse,
  requireValid,
  text,
  whole,
} from './json-checks.ts';

/*
 * The schema of table and view metadata (Iceberg specification, appendix C), for untrusted files. Parts that the
 * service doesn't use and passes on unchanged, such as statistics blobs, aren't checked.
 */

const ID = whole(0, 2 ** 31 - 1);
/** Snapshot ids of some engines are negative. */
const SNAPSHOT = long(-(2n ** 63n));
const COUNT = long(0n);
/** Milliseconds since 1970; an invalid time is shown as 1970. */
const TIME = long(-(2n ** 63n));
const LOCATION = text(8192, 1);
const NAME = text(10_000, 1);
const VALUE = text(16 * 1024 * 1024);
const MAX_DEPTH = 64;

/** A type and its nested types. */
function type(value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) refuse('is nested too deeply');
  const kind = typeof value === 'string' ? 'simple' : (value as { readonly type?: unknown } | null)?.type;
  if (kind !== 'simple' && kind !== 'struct' && kind !== 'list' && kind !== 'map') refuse('must be a type');
  const inner: Check = (part) => type(part, depth + 1);
  const checks = {
    simple: text(200, 1),
    struct: object({ fields: list((part) => field(part, depth + 1), 100_000) }),
    list: object({ 'element-id': ID, element: inner, 'element-required': optional(boolean) }),
    map: object({ 'key-id': ID, key: inner, 'value-id': ID, value: inner, 'value-required': optional(boolean) }),
  };
  checks[kind as keyof typeof checks](value);
}

const FIELD = object({ id: ID, name: NAME, required: optional(boolean), doc: optional(VALUE) });
const DEFAULTS = ['initial-default', 'write-default'];

function field(value: unknown, depth: number): void {
  FIELD(value);
  const { type: own, ...rest } = value as Readonly<Record<string, unknown>>;
  object({ type: (part) => type(part, depth) })({ type: own });
  for (const name of DEFAULTS) object({ [name]: optional(defaultValue) })(rest);
}

/** A nested default is rejected where it is used. */
function defaultValue(value: unknown): void {
  if (typeof value === 'string') VALUE(value);
  if (typeof value === 'number' && !Number.isFinite(value)) refuse('must be a JSON value');
}

const SCHEMA = object({
  'schema-id': ID,
  fields: list((value) => field(value, 0), 100_000),
  'identifier-field-ids': optional(list(ID)),
});

/** A transform of several columns has `source-ids`. */
const SOURCE: Check = (value) => {
  const { 'source-id': one, 'source-ids': several } = value as Readonly<Record<string, unknown>>;
  if (one !== undefined || several === undefined) object({ 'source-id': ID })({ 'source-id': one });
  else object({ 'source-ids': list(ID) })({ 'source-ids': several });
};

const both =
  (...checks: readonly Check[]): Check =>
  (value) => {
    for (const check of checks) check(value);
  };

const TRANSFORM = text(200, 1);
const PARTITION_FIELD = both(object({ name: NAME, transform: TRANSFORM, 'field-id': ID }), SOURCE);
const SORT_FIELD = both(
  object({ transform: TRANSFORM, direction: oneOf('asc', 'desc'), 'null-order': oneOf('nulls-first', 'nulls-last') }),
  SOURCE,
);

const scalar: Check = (value) => {
  if (typeof value === 'object' && value !== null) refuse('must be a string');
  if (typeof value === 'string') VALUE(value);
};

const SNAPSHOT_OBJECT = object({
  'snapshot-id': SNAPSHOT,
  'parent-snapshot-id': optional(SNAPSHOT),
  'sequence-number': whole(0, Number.MAX_SAFE_INTEGER),
  'timestamp-ms': TIME,
  'manifest-list': optional(LOCATION),
  manifests: optional(list(LOCATION)),
  'first-row-id': optional(COUNT),
  'added-rows': optional(COUNT),
  'key-id': optional(VALUE),
  summary: dictionary(NAME, scalar),
  'schema-id': optional(ID),
});

const REF = object({
  'snapshot-id': SNAPSHOT,
  type: oneOf('branch', 'tag'),
  'min-snapshots-to-keep': optional(COUNT),
  'max-snapshot-age-ms': optional(COUNT),
  'max-ref-age-ms': optional(COUNT),
});

const STATISTICS = object({
  'snapshot-id': SNAPSHOT,
  'statistics-path': LOCATION,
  'file-size-in-bytes': optional(COUNT),
  'file-footer-size-in-bytes': optional(COUNT),
  'key-metadata': optional(VALUE),
});

const PROPERTIES = dictionary(NAME, VALUE);

const TABLE = object({
  'table-uuid': text(100, 1),
  location: LOCATION,
  'last-sequence-number': whole(0, Number.MAX_SAFE_INTEGER),
  'last-updated-ms': optional(TIME),
  'last-column-id': ID,
  schemas: list(memoized(SCHEMA)),
  'current-schema-id': ID,
  'partition-specs': list(memoized(object({ 'spec-id': ID, fields: list(PARTITION_FIELD) }))),
  'default-spec-id': ID,
  // For a table without partitions, one less than the first id.
  'last-partition-id': ID,
  'sort-orders': list(memoized(object({ 'order-id': ID, fields: list(SORT_FIELD) }))),
  'default-sort-order-id': ID,
  properties: memoized(PROPERTIES),
  'current-snapshot-id': SNAPSHOT,
  snapshots: list(memoized(SNAPSHOT_OBJECT)),
  'snapshot-log': list(memoized(object({ 'timestamp-ms': TIME, 'snapshot-id': SNAPSHOT }))),
  'metadata-log': list(memoized(object({ 'timestamp-ms': TIME, 'metadata-file': LOCATION }))),
  refs: dictionary(NAME, memoized(REF)),
  'next-row-id': optional(COUNT),
  'encryption-keys': optional(list(dictionary(NAME, () => undefined))),
  statistics: optional(list(memoized(STATISTICS))),
  'partition-statistics': optional(list(memoized(STATISTICS))),
});

/** @throws UnsupportedTableError naming the field that violates the specification */
export function checkMetadata(metadata: unknown): void {
  requireValid('The table metadata', TABLE, metadata);
}

const VIEW_VERSION = object({
  'version-id': ID,
  'timestamp-ms': TIME,
  'schema-id': ID,
  summary: optional(dictionary(NAME, scalar)),
  representations: list(object({ type: text(100), sql: VALUE, dialect: text(100) }), 1000),
  'default-catalog': optional(text(10_000)),
  'default-namespace': list(text(10_000), 1000),
});

const VIEW = object({
  'view-uuid': text(100, 1),
  location: LOCATION,
  'current-version-id': ID,
  versions: list(VIEW_VERSION),
  'version-log': optional(list(object({ 'version-id': ID, 'timestamp-ms': TIME }))),
  schemas: list(SCHEMA),
  properties: optional(PROPERTIES),
});

/** @throws UnsupportedTableError naming the field that violates the specification */
export function checkViewMetadata(metadata: unknown): void {
  requireValid('The view metadata', VIEW, metadata);
}
