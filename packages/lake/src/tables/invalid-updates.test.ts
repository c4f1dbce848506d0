import { applyUpdates, formatMetadata, type IcebergSchema, newTableMetadata, parseMetadata } from '@svc/iceberg';
import { applyViewUpdates, noView } from '../views/index.ts';
import { rowColumns } from './table-record.ts';

const UUID = '00000000-0000-4000-8000-000000000001';
const LOCATION = 'file:///w/t';
const SCHEMA = {
  type: 'struct',
  'schema-id': 0,
  fields: [
    { id: 1, name: 'id', required: true, type: 'long', doc: 'the key' },
    { id: 2, name: 'l', required: false, type: { type: 'list', 'element-id': 3, element: 'string' } },
    {
      id: 4,
      name: 'm',
      required: false,
      type: { type: 'map', 'key-id': 5, key: 'string', 'value-id': 6, value: { type: 'struct', fields: [] } },
    },
    { id: 7, name: 's', type: { type: 'struct', fields: [{ id: 8, name: 'x', type: 'decimal(9,2)' }] } },
  ],
  'identifier-field-ids': [1],
};
const SPEC = { 'spec-id': 0, fields: [{ 'source-id': 1, 'field-id': 1000, name: 'b', transform: 'bucket[4]' }] };
const ORDER = {
  'order-id': 1,
  fields: [{ 'source-id': 1, transform: 'identity', direction: 'asc', 'null-order': 'nulls-first' }],
};

const ODD: readonly unknown[] = [null, true, 0, -1, 7.5, 2n ** 70n, '', 'constructor', [], [null], [[]], {}, { a: 1 }];

/** The value with each of its parts in turn left out or replaced. */
function* twisted(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    const changed = (to: unknown) =>
      Array.isArray(value) ? value.with(Number(key), to) : { ...(value as object), [key]: to };
    if (!Array.isArray(value)) {
      const { [key]: _left, ...others } = value as Record<string, unknown>;
      yield others;
    }
    for (const odd of ODD) yield changed(odd);
    for (const inner of twisted(part)) yield changed(inner);
  }
}

const made = newTableMetadata(
  { uuid: UUID, location: LOCATION, schema: SCHEMA as never, spec: SPEC, order: ORDER as never, properties: {} },
  1000,
);
if (!made.ok) throw new Error(made.message);
const SNAPSHOT = {
  'snapshot-id': 7,
  'sequence-number': 1,
  'timestamp-ms': 1500,
  'manifest-list': `${LOCATION}/metadata/l.avro`,
  summary: { operation: 'append' },
  'first-row-id': 0,
  'added-rows': 3,
};
const started = applyUpdates(
  made.metadata,
  [],
  [
    { action: 'upgrade-format-version', 'format-version': 3 },
    { action: 'add-snapshot', snapshot: SNAPSHOT },
    { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': 7 },
  ],
  2000,
);
if (!started.ok) throw new Error(started.message);
const { metadata: table } = started;

/** What is taken can be shown as columns. */
function expectDescribed(schemas: readonly IcebergSchema[]): void {
  for (const schema of schemas)
    for (const { name, description } of rowColumns(schema))
      expect([typeof name, description === null ? 'string' : typeof description]).toEqual(['string', 'string']);
}

/** What is taken can be written, and read again. */
function expectConsistent(result: ReturnType<typeof applyUpdates>): void {
  if (result.ok) {
    expect(() => parseMetadata(formatMetadata(result.metadata).toString())).not.toThrow();
    expectDescribed(result.metadata.schemas);
  } else expect(result.message).toMatch(/\S/);
}

test('a new table of anything is made or refused, and never fails', () => {
  let refused = 0;
  for (const { schema, spec, order } of twisted({ schema: SCHEMA, spec: SPEC, order: ORDER }) as Iterable<never>) {
    if (typeof schema !== 'object' || schema === null || spec === null || order === null) continue;
    const result = newTableMetadata({ uuid: UUID, location: LOCATION, schema, spec, order, properties: {} }, 1000);
    expectConsistent(result);
    if (!result.ok) refused++;
  }
  expect(refused).toBeGreaterThan(300);
});

test.each([
  { action: 'assign-uuid', uuid: UUID },
  { action: 'upgrade-format-version', 'format-version': 3 },
  { action: 'add-schema', schema: { ...SCHEMA, fields: [...SCHEMA.fields, { id: 9, name: 'y', type: 'date' }] } },
  { action: 'set-current-schema', 'schema-id': 0 },
  { action: 'remove-schemas', 'schema-ids': [1] },
  { action: 'add-spec', spec: SPEC },
  { action: 'set-default-spec', 'spec-id': 0 },
  { action: 'remove-partition-specs', 'spec-ids': [1] },
  { action: 'add-sort-order', 'sort-order': ORDER },
  { action: 'set-default-sort-order', 'sort-order-id': 1 },
  { action: 'add-snapshot', snapshot: { ...SNAPSHOT, 'snapshot-id': 8, 'sequence-number': 2, 'first-row-id': 3 } },
  { action: 'set-snapshot-ref', 'ref-name': 'b', type: 'branch', 'snapshot-id': 7, 'max-ref-age-ms': 5 },
  { action: 'remove-snapshots', 'snapshot-ids': [7] },
  { action: 'remove-snapshot-ref', 'ref-name': 'main' },
  { action: 'set-location', location: LOCATION },
  { action: 'set-properties', updates: { a: 'b' } },
  { action: 'remove-properties', removals: ['a'] },
  { action: 'set-statistics', statistics: { 'snapshot-id': 7, 'statistics-path': 'p', 'blob-metadata': [] } },
  { action: 'remove-statistics', 'snapshot-id': 7 },
  { action: 'set-partition-statistics', 'partition-statistics': { 'snapshot-id': 7, 'statistics-path': 'p' } },
  { action: 'remove-partition-statistics', 'snapshot-id': 7 },
  { action: 'add-encryption-key', 'encryption-key': { 'key-id': 'k', 'encrypted-key-metadata': 'eA==' } },
  { action: 'remove-encryption-key', 'key-id': 'k' },
])('the update $action is taken or refused, whatever is in it', (update) => {
  expectConsistent(applyUpdates(table, [], [update], 3000));
  for (const one of twisted(update)) expectConsistent(applyUpdates(table, [], [one as never], 3000));
});

test('a view of anything is made or refused', () => {
  const updates = [
    { action: 'add-schema', schema: SCHEMA },
    {
      action: 'add-view-version',
      'view-version': {
        'version-id': 1,
        'schema-id': -1,
        'timestamp-ms': 1,
        summary: { a: 'b' },
        'default-namespace': ['s'],
        representations: [{ type: 'sql', dialect: 'duckdb', sql: 'SELECT 1 AS id' }],
      },
    },
    { action: 'set-current-view-version', 'view-version-id': -1 },
    { action: 'set-properties', updates: { a: 'b' } },
    { action: 'remove-properties', removals: ['a'] },
    { action: 'set-location', location: LOCATION },
  ];
  for (const all of [updates, ...(twisted(updates) as Iterable<never>)]) {
    const named = Array.isArray(all) && all.every((update: { action?: unknown }) => typeof update?.action === 'string');
    if (!named) continue;
    const result = applyViewUpdates(noView(UUID, LOCATION), [], all, 1000);
    if (result.ok) expectDescribed(result.metadata.schemas);
    else expect(result.message).toMatch(/\S/);
  }
});
