import {
  applyUpdates,
  createTableMetadata,
  formatMetadata,
  listSnapshots,
  parseMetadata,
  type TableMetadata,
  tableTotals,
} from '../index.ts';

const uuid = '00000000-0000-4000-8000-000000000001';
const columns = [
  { name: 'id', type: 'bigint', nullable: false },
  { name: 'tags', type: 'struct<a: int, b: list<string>>' },
];
const base = createTableMetadata({ uuid, location: 'file:///w/t', columns, now: 1000 });
const sorted = { transform: 'identity', 'source-id': 1, direction: 'asc', 'null-order': 'nulls-first' };
const snapshot = (id: number | bigint, sequence: number, parent?: number | bigint) => ({
  'snapshot-id': id,
  ...(parent === undefined ? {} : { 'parent-snapshot-id': parent }),
  'sequence-number': sequence,
  'timestamp-ms': 1500,
  'manifest-list': 'file:///w/t/metadata/l.avro',
  summary: { operation: 'append' },
});
const apply = (metadata: TableMetadata | null, updates: object[], requirements: object[] = []) =>
  applyUpdates(metadata, requirements as never, updates as never, 2000);
const applied = (metadata: TableMetadata | null, updates: object[], requirements: object[] = []) => {
  const result = apply(metadata, updates, requirements);
  if (!result.ok) throw new Error(result.message);
  return result.metadata;
};
const BIG = 9007199254740993n;

test('a new table numbers its fields as Iceberg does', () => {
  expect(base['last-column-id']).toBe(5);
  expect(base.schemas[0]!.fields).toEqual([
    { id: 1, name: 'id', required: true, type: 'long' },
    {
      id: 2,
      name: 'tags',
      required: false,
      type: {
        type: 'struct',
        fields: [
          { id: 3, name: 'a', required: false, type: 'int' },
          {
            id: 4,
            name: 'b',
            required: false,
            type: { type: 'list', 'element-id': 5, element: 'string', 'element-required': false },
          },
        ],
      },
    },
  ]);
});

test('64 bit ids survive reading and writing', () => {
  const metadata = applied(base, [
    { action: 'add-snapshot', snapshot: snapshot(BIG, 1) },
    { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': BIG },
  ]);
  const text = formatMetadata(metadata).toString();
  expect(text).toContain('"current-snapshot-id":9007199254740993');
  expect(parseMetadata(text)).toEqual(metadata);
});

test('a text made from that of the previous version equals one made from scratch', () => {
  let state = base;
  const next = (updates: object[]) => {
    const log = { 'timestamp-ms': state['last-updated-ms'], 'metadata-file': `é ${state.snapshots.length}` };
    const after = { ...applied(state, updates), 'metadata-log': [...state['metadata-log'], log].slice(-4) };
    expect(formatMetadata(after, state).toString()).toBe(formatMetadata(structuredClone(after)).toString());
    state = after;
  };
  const added = (id: number) => [
    { action: 'add-snapshot', snapshot: snapshot(id, id) },
    { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': id },
  ];
  for (let id = 1; id <= 9; id++) next(added(id));
  next([{ action: 'remove-snapshots', 'snapshot-ids': [1, 2, 5] }]);
  next([{ action: 'set-properties', updates: { owner: 'ø' } }]);
  next([...added(10), ...added(11), { action: 'remove-snapshots', 'snapshot-ids': [3, 4, 6, 7, 8, 9, 10] }]);
  next([{ action: 'remove-snapshot-ref', 'ref-name': 'main' }]);
  next([{ action: 'remove-snapshots', 'snapshot-ids': [11] }]);
  next(added(12));
});

const withSnapshot = applied(base, [
  { action: 'add-snapshot', snapshot: snapshot(7, 1) },
  { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': 7 },
]);

test('the log of snapshots stays in order when the clocks of engines and servers differ', () => {
  const main = (id: number) => ({ action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': id });
  const add = (id: number, time: number, parent?: number) => [
    { action: 'add-snapshot', snapshot: { ...snapshot(id, id, parent), 'timestamp-ms': time } },
    main(id),
  ];
  let state = applied(base, add(1, 900_000));
  for (const updates of [add(2, 1500, 1), [main(1)]]) state = applied(state, updates);
  expect(state['snapshot-log']).toEqual([1, 2, 1].map((id) => ({ 'timestamp-ms': 900_000, 'snapshot-id': id })));
  expect(state['last-updated-ms']).toBe(900_000);
});

test.each([
  ['one name', [{ name: 'p' }, { name: 'p', transform: 'bucket[4]' }], 'more than once: p'],
  [
    'one id',
    [
      { name: 'p', 'field-id': 1000 },
      { name: 'q', transform: 'void', 'field-id': 1000 },
    ],
    'p and q',
  ],
])('a partition spec has no two fields with %s', (_what, fields, message) => {
  const spec = { fields: fields.map((field) => ({ 'source-id': 1, transform: 'identity', ...field })) };
  const result = apply(base, [{ action: 'add-spec', spec }]);
  expect(result).toMatchObject({ ok: false, kind: 'invalid', message: expect.stringContaining(message) });
});

test.each([
  ['a transform of the same column', { name: 'id', transform: 'bucket[4]' }, 'name that exists in schema: id'],
  ['a transform of another column', { name: 'tags', transform: 'bucket[4]' }, 'name that exists in schema: tags'],
  ['another column', { name: 'tags' }, 'sourced from different field in schema: tags'],
  ['a nested column', { name: 'tags.a' }, 'sourced from different field in schema: tags.a'],
  ['an element of a list', { name: 'tags.b.element' }, 'different field in schema: tags.b.element'],
  ['nothing of another column', { name: 'tags', transform: 'void' }, 'different field in schema: tags'],
])('a partition field that is %s does not have the name of a column', (_what, field, message) => {
  const spec = { fields: [{ 'source-id': 1, transform: 'identity', ...field }] };
  const result = apply(base, [{ action: 'add-spec', spec }]);
  expect(result).toMatchObject({ ok: false, kind: 'invalid', message: expect.stringContaining(message) });
});

test('a partition field has the name of a column if it has its values, or none, and a spec that exists can be added again', () => {
  for (const field of [
    { name: 'id' },
    { name: 'id', transform: 'void' },
    { name: 'tags.a', 'source-id': 3 },
    { name: 'ID', transform: 'bucket[4]' },
    { name: 'a', transform: 'bucket[4]' },
  ]) {
    const spec = { fields: [{ 'source-id': 1, transform: 'identity', ...field }] };
    expect(apply(base, [{ action: 'add-spec', spec }])).toMatchObject({ ok: true });
  }
  const old = { 'spec-id': 5, fields: [{ name: 'tags', transform: 'identity', 'source-id': 1, 'field-id': 1000 }] };
  const known = { ...base, 'partition-specs': [...base['partition-specs'], old] };
  expect(applied(known, [{ action: 'add-spec', spec: old }])['partition-specs']).toHaveLength(2);
});

test.each([
  ['assert-create', { type: 'assert-create' }, 'conflict'],
  ['uuid', { type: 'assert-table-uuid', uuid: 'other' }, 'conflict'],
  ['ref moved', { type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': 6 }, 'conflict'],
  ['ref must not exist', { type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': null }, 'conflict'],
  ['ref gone', { type: 'assert-ref-snapshot-id', ref: 'b', 'snapshot-id': 6 }, 'conflict'],
  ['field id', { type: 'assert-last-assigned-field-id', 'last-assigned-field-id': 1 }, 'conflict'],
  ['schema', { type: 'assert-current-schema-id', 'current-schema-id': 1 }, 'conflict'],
  ['partition id', { type: 'assert-last-assigned-partition-id', 'last-assigned-partition-id': 1 }, 'conflict'],
  ['spec', { type: 'assert-default-spec-id', 'default-spec-id': 1 }, 'conflict'],
  ['sort order', { type: 'assert-default-sort-order-id', 'default-sort-order-id': 1 }, 'conflict'],
  ['unknown', { type: 'assert-moon-phase' }, 'invalid'],
  ['inherited name', { type: 'constructor' }, 'invalid'],
])('requirement %s that does not hold', (_name, requirement, kind) => {
  expect(apply(withSnapshot, [], [requirement])).toMatchObject({ ok: false, kind });
});

test('requirements that hold', () => {
  const limits = [
    { type: 'assert-table-uuid', uuid },
    { type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': 7 },
    { type: 'assert-ref-snapshot-id', ref: 'new', 'snapshot-id': null },
    { type: 'assert-last-assigned-field-id', 'last-assigned-field-id': 5 },
    { type: 'assert-current-schema-id', 'current-schema-id': 0 },
    { type: 'assert-last-assigned-partition-id', 'last-assigned-partition-id': 999 },
    { type: 'assert-default-spec-id', 'default-spec-id': 0 },
    { type: 'assert-default-sort-order-id', 'default-sort-order-id': 0 },
  ];
  expect(apply(withSnapshot, [], limits).ok).toBe(true);
  expect(apply(null, [], [{ type: 'assert-table-uuid', uuid }])).toMatchObject({ ok: false, kind: 'conflict' });
});

const schema = { type: 'struct', 'schema-id': 0, fields: [{ id: 1, name: 'x', required: false, type: 'int' }] };

test('a create transaction builds the whole table', () => {
  const create = [
    { action: 'assign-uuid', uuid },
    { action: 'upgrade-format-version', 'format-version': 2 },
    { action: 'add-schema', schema, 'last-column-id': 1 },
    { action: 'set-current-schema', 'schema-id': -1 },
    { action: 'add-spec', spec: { 'spec-id': 0, fields: [{ name: 'x', transform: 'identity', 'source-id': 1 }] } },
    { action: 'set-default-spec', 'spec-id': -1 },
    { action: 'add-sort-order', 'sort-order': { 'order-id': 0, fields: [] } },
    { action: 'set-default-sort-order', 'sort-order-id': -1 },
    { action: 'set-location', location: 'file:///w/new/' },
    { action: 'set-properties', updates: { a: '1', b: '2' } },
    { action: 'remove-properties', removals: ['a'] },
  ];
  const requirement = [{ type: 'assert-create' }];
  const metadata = applied(null, create, requirement);
  expect(metadata).toMatchObject({
    location: 'file:///w/new',
    'last-column-id': 1,
    'last-partition-id': 1000,
    'current-schema-id': 0,
    'default-spec-id': 0,
    'default-sort-order-id': 0,
    properties: { b: '2' },
    'last-updated-ms': 2000,
  });
  expect(apply(null, create.slice(1), requirement)).toMatchObject({ ok: false, kind: 'invalid' });
  expect(apply(null, create)).toMatchObject({ ok: false, kind: 'conflict' });
});

test('schemas are added once, referred to by -1 and kept while current', () => {
  const metadata = applied(base, [
    { action: 'add-schema', schema: { ...schema, fields: [{ id: 9, name: 'y', required: false, type: 'date' }] } },
    { action: 'set-current-schema', 'schema-id': -1 },
  ]);
  expect([metadata['current-schema-id'], metadata['last-column-id']]).toEqual([1, 9]);
  const again = applied(metadata, [
    { action: 'add-schema', schema: base.schemas[0]! },
    { action: 'set-current-schema', 'schema-id': -1 },
  ]);
  expect([again['current-schema-id'], again.schemas.length]).toEqual([0, 2]);
  expect(applied(again, [{ action: 'remove-schemas', 'schema-ids': [1] }]).schemas.length).toBe(1);
});

test('refs, snapshots and their log', () => {
  const two = applied(withSnapshot, [
    { action: 'add-snapshot', snapshot: snapshot(8, 2, 7) },
    { action: 'set-snapshot-ref', 'ref-name': 'b', type: 'branch', 'snapshot-id': 8, 'max-ref-age-ms': 5 },
    { action: 'set-snapshot-ref', 'ref-name': 't', type: 'tag', 'snapshot-id': 7 },
    { action: 'set-statistics', statistics: { 'snapshot-id': 8, 'statistics-path': 'p' } },
  ]);
  expect(two.refs).toEqual({
    main: { 'snapshot-id': 7, type: 'branch' },
    b: { 'snapshot-id': 8, type: 'branch', 'max-ref-age-ms': 5 },
    t: { 'snapshot-id': 7, type: 'tag' },
  });
  expect(two['snapshot-log']).toEqual([{ 'timestamp-ms': 1500, 'snapshot-id': 7 }]);
  const fewer = applied(two, [{ action: 'remove-snapshots', 'snapshot-ids': [8] }]);
  expect(Object.keys(fewer.refs)).toEqual(['main', 't']);
  expect(fewer.statistics).toEqual([]);
  const none = applied(fewer, [{ action: 'remove-snapshot-ref', 'ref-name': 'main' }]);
  expect([none['current-snapshot-id'], none['snapshot-log']]).toEqual([-1, two['snapshot-log']]);
});

test.each([
  ['unknown action', { action: 'explode' }],
  ['inherited action', { action: 'toString' }],
  ['no action', {}],
  ['version 4', { action: 'upgrade-format-version', 'format-version': 4 }],
  ['version 1', { action: 'upgrade-format-version', 'format-version': 1 }],
  ['action that left the protocol', { action: 'enable-row-lineage' }],
  ['another uuid', { action: 'assign-uuid', uuid: '00000000-0000-4000-8000-000000000002' }],
  ['unknown type', { action: 'add-schema', schema: { fields: [{ id: 1, name: 'x', type: 'variant' }] } }],
  [
    'two columns of one name',
    { action: 'add-schema', schema: { fields: [schema.fields[0], { ...schema.fields[0], id: 2, name: 'X' }] } },
  ],
  [
    'two fields of one id',
    { action: 'add-schema', schema: { fields: [schema.fields[0], { ...schema.fields[0], name: 'z' }] } },
  ],
  ['no fields', { action: 'add-schema', schema: {} }],
  ['-1 without addition', { action: 'set-current-schema', 'schema-id': -1 }],
  ['missing schema', { action: 'set-current-schema', 'schema-id': 9 }],
  ['current schema removed', { action: 'remove-schemas', 'schema-ids': [0] }],
  ['missing spec', { action: 'set-default-spec', 'spec-id': 9 }],
  ...[[7], [null], ['x'], {}, 'x', true].map((ids): [string, object] => [
    `identifiers ${JSON.stringify(ids)}`,
    { action: 'add-schema', schema: { ...schema, 'identifier-field-ids': ids } },
  ]),
  ...[
    null,
    7,
    {},
    { transform: 'day' },
    { ...sorted, transform: 'hash' },
    { ...sorted, 'source-id': 99 },
    { ...sorted, direction: 'up' },
    { ...sorted, 'null-order': null },
  ].map((field): [string, object] => [
    `sort field ${JSON.stringify(field)}`,
    { action: 'add-sort-order', 'sort-order': { fields: [field] } },
  ]),
  ['partition field that is null', { action: 'add-spec', spec: { fields: [null] } }],
  [
    'partition field whose id is not a number',
    { action: 'add-spec', spec: { fields: [{ name: 'p', transform: 'identity', 'source-id': 1, 'field-id': 'x' }] } },
  ],
  ['missing sort order', { action: 'set-default-sort-order', 'sort-order-id': 9 }],
  ['snapshot twice', { action: 'add-snapshot', snapshot: snapshot(7, 5, 7) }],
  ['unknown transform', { action: 'add-spec', spec: { fields: [{ name: 'p', transform: 'hash', 'source-id': 1 }] } }],
  [
    'partition of no column',
    { action: 'add-spec', spec: { fields: [{ name: 'p', transform: 'day', 'source-id': 99 }] } },
  ],
  [
    'default value before version 3',
    { action: 'add-schema', schema: { fields: [{ ...schema.fields[0], 'initial-default': 1 }] } },
  ],
  ['ref to nothing', { action: 'set-snapshot-ref', 'ref-name': 'b', type: 'branch', 'snapshot-id': 99 }],
  ['main as tag', { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'tag', 'snapshot-id': 7 }],
  ['property that is not a text', { action: 'set-properties', updates: { a: 1 } }],
  ['no location', { action: 'set-location' }],
])('%s is refused as invalid', (_name, update) => {
  expect(apply(withSnapshot, [update])).toMatchObject({ ok: false, kind: 'invalid', message: expect.any(String) });
});

test.each([
  ['a time beyond all dates', { 'timestamp-ms': 1e300 }],
  ['a time before 1970', { 'timestamp-ms': -1 }],
  ['half a millisecond', { 'timestamp-ms': 1.5 }],
  ['a summary that holds more than texts', { summary: { operation: 'append', 'added-records': 3 } }],
])('a snapshot of %s is refused', (_, wrong) => {
  const added = { action: 'add-snapshot', snapshot: { ...snapshot(7, 1), ...wrong } };
  expect(apply(base, [added])).toMatchObject({ ok: false, kind: 'invalid' });
});

test('what others wrote into a registered table can be listed and counted', () => {
  const written = {
    ...snapshot(7, 1),
    'timestamp-ms': 1e300,
    summary: { operation: 'append', 'total-records': 'many', 'added-records': 3 },
  };
  const read = {
    ...base,
    snapshots: [written],
    'current-snapshot-id': 7,
    refs: { main: { 'snapshot-id': 7, type: 'branch' } },
  };
  const [listed] = listSnapshots(read as unknown as TableMetadata);
  expect(listed).toMatchObject({ committedAt: 0, summary: { 'added-records': '3' } });
  expect(tableTotals(read as unknown as TableMetadata)).toEqual({ rows: 0, bytes: 0, files: 0 });
});

test('an id that another commit took is a conflict, and the commit is retried on the current state', () => {
  const behind = apply(withSnapshot, [{ action: 'add-snapshot', snapshot: snapshot(8, 1, 7) }]);
  expect(behind).toMatchObject({ ok: false, kind: 'conflict' });
});

test('a snapshot that was current between two updates of one commit leaves no trace in the log', () => {
  const twice = applied(withSnapshot, [
    { action: 'add-snapshot', snapshot: snapshot(8, 2, 7) },
    { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': 8 },
    { action: 'add-snapshot', snapshot: snapshot(9, 3, 8) },
    { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': 9 },
  ]);
  expect(twice['snapshot-log'].map((entry) => entry['snapshot-id'])).toEqual([7, 9]);
});

describe('format version 3', () => {
  const three = applied(base, [{ action: 'upgrade-format-version', 'format-version': 3 }]);
  const rows = (first: unknown, added: unknown) => ({ ...snapshot(7, 1), 'first-row-id': first, 'added-rows': added });
  const add = (metadata: TableMetadata, fields: object) =>
    apply(metadata, [{ action: 'add-snapshot', snapshot: fields }]);

  test('starts with row id 0, and never goes back', () => {
    expect(three).toMatchObject({ 'format-version': 3, 'next-row-id': 0 });
    const back = apply(three, [{ action: 'upgrade-format-version', 'format-version': 2 }]);
    expect(back).toMatchObject({ ok: false, kind: 'invalid', message: 'Cannot downgrade v3 table to v2.' });
  });

  test('assigns row ids to every snapshot', () => {
    const after = applied(three, [{ action: 'add-snapshot', snapshot: rows(0, 5) }]);
    expect(after['next-row-id']).toBe(5);
    expect(add(after, { ...rows(4, 1), 'snapshot-id': 8, 'sequence-number': 2 })).toMatchObject({ kind: 'conflict' });
    expect(add(three, snapshot(7, 1))).toMatchObject({ kind: 'invalid' });
    const far = applied(three, [{ action: 'add-snapshot', snapshot: rows(0, BIG) }]);
    expect(far['next-row-id']).toBe(BIG);
  });

  test('keeps encryption keys', () => {
    const key = { 'key-id': 'k', 'encrypted-key-metadata': 'eA==' };
    const keyed = applied(three, [{ action: 'add-encryption-key', 'encryption-key': key }]);
    expect(keyed['encryption-keys']).toEqual([key]);
    expect(applied(keyed, [{ action: 'remove-encryption-key', 'key-id': 'k' }])['encryption-keys']).toEqual([]);
  });
});

describe('commits of many updates', () => {
  const times = (count: number, one: (i: number) => object) => Array.from({ length: count }, (_, i) => one(i));

  test('set and remove properties in a time that grows with their number alone', () => {
    const set = times(100_000, (i) => ({ action: 'set-properties', updates: { [`k${i}`]: 'v' } }));
    const removed = times(99_999, (i) => ({ action: 'remove-properties', removals: [`k${i}`] }));
    const before = { ...base, properties: { kept: 'yes' } };
    expect(applied(before, [...set, ...removed]).properties).toEqual({ kept: 'yes', k99999: 'v' });
    expect(before.properties).toEqual({ kept: 'yes' });
  });

  test.each([
    [
      'add-schema',
      'schemas',
      (i: number) => ({ schema: { type: 'struct', fields: [{ id: i, name: `c${i}`, type: 'int' }] } }),
    ],
    ['add-spec', 'partition specs', () => ({ spec: { fields: [] } })],
    ['add-sort-order', 'sort orders', () => ({ 'sort-order': { fields: [] } })],
    [
      'set-snapshot-ref',
      'branches and tags',
      (i: number) => ({ 'ref-name': `b${i}`, type: 'branch', 'snapshot-id': 1 }),
    ],
  ])('refuse more than 100 times %s', (action, what, fields) => {
    const updates = times(101, (i) => ({ action, ...fields(i) }));
    const message = `A commit may add at most 100 ${what}, not 101.`;
    expect(apply(base, updates)).toEqual({ ok: false, kind: 'invalid', message });
  });

  test('refuse what a table cannot have', () => {
    const fields = times(20_001, (i) => ({ id: i + 1, name: `c${i}`, required: false, type: 'int' }));
    expect(apply(base, [{ action: 'add-schema', schema: { type: 'struct', fields } }])).toMatchObject({
      message: 'The schema has 20001 fields, but a table may have at most 20000.',
    });
    const location = `file:///w/${'/'.repeat(5_000_000)}t`;
    expect(apply(base, [{ action: 'set-location', location }])).toMatchObject({
      message: 'A location has at most 2048 characters.',
    });
  });
});
