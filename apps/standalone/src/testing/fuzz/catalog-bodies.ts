import type { Seen, SeenTable } from './catalog-world.ts';
import type { Dice } from './dice.ts';

type Make = (dice: Dice, world: Seen, names: Names) => unknown;

/** Names in requests. */
export interface Names {
  namespace: () => string;
  table: () => string;
  warehouse: string;
}

const SCHEMA = {
  type: 'struct',
  'schema-id': 0,
  fields: [
    { id: 1, name: 'id', required: true, type: 'long', doc: 'the key' },
    { id: 2, name: 'name', required: false, type: 'string' },
    {
      id: 3,
      name: 'tags',
      required: false,
      type: { type: 'list', 'element-id': 4, element: 'string', 'element-required': false },
    },
    {
      id: 5,
      name: 'by',
      required: false,
      type: { type: 'struct', fields: [{ id: 6, name: 'x', required: false, type: 'decimal(9,2)' }] },
    },
  ],
  'identifier-field-ids': [1],
};
const WIDER = {
  ...SCHEMA,
  'schema-id': 1,
  fields: [...SCHEMA.fields, { id: 9, name: 'more', required: false, type: 'timestamptz' }],
};
const SPEC = { 'spec-id': 1, fields: [{ 'source-id': 1, 'field-id': 1000, name: 'b', transform: 'bucket[4]' }] };
const ORDER = {
  'order-id': 1,
  fields: [{ 'source-id': 1, transform: 'identity', direction: 'asc', 'null-order': 'nulls-first' }],
};

const NO_TABLE: SeenTable = {
  namespace: 'raw',
  name: 'orders',
  metadataLocation: 'nowhere/metadata/1.metadata.json',
  metadata: {
    'table-uuid': '00000000-0000-4000-8000-000000000000',
    location: 'nowhere',
    'last-column-id': 2,
    'current-schema-id': 0,
    'last-sequence-number': 0,
  },
};

const tableOf = (dice: Dice, { tables }: Seen): SeenTable => (tables.length === 0 ? NO_TABLE : dice.pick(tables));

/** Possible locations of a table: in its own folder, in those of others, outside, or nowhere. */
export function locations(world: Seen, names: Names): string[] {
  const own = world.tables.map(({ metadata }) => metadata.location);
  const [first = 'nowhere'] = own;
  return [
    ...own,
    ...world.foreign,
    ...world.tables.map(({ metadataLocation }) => metadataLocation),
    ...world.views.map(({ metadataLocation }) => metadataLocation),
    names.warehouse,
    `${first}/inner`,
    `${first}/metadata/../../secret`,
    `${first}/%2e%2e/x`,
    `${first}//metadata//x.avro`,
    `${names.warehouse}/../outside`,
    `file://${first}`,
    `file:///etc/passwd`,
    '/etc/passwd',
    's3://bucket/x',
    's3://',
    'http://169.254.169.254/latest',
    '\\\\host\\share',
    '.',
    '',
  ];
}

function requirements(dice: Dice, { metadata }: SeenTable): unknown[] {
  const all = [
    { type: 'assert-table-uuid', uuid: metadata['table-uuid'] },
    { type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': metadata['current-snapshot-id'] ?? null },
    { type: 'assert-last-assigned-field-id', 'last-assigned-field-id': metadata['last-column-id'] },
    { type: 'assert-current-schema-id', 'current-schema-id': metadata['current-schema-id'] },
    { type: 'assert-last-assigned-partition-id', 'last-assigned-partition-id': metadata['last-partition-id'] ?? 999 },
    { type: 'assert-default-spec-id', 'default-spec-id': metadata['default-spec-id'] ?? 0 },
    { type: 'assert-default-sort-order-id', 'default-sort-order-id': metadata['default-sort-order-id'] ?? 0 },
  ];
  return dice.chance(0.1) ? [{ type: 'assert-create' }] : all.filter(() => dice.chance(0.15));
}

function updates(dice: Dice, table: SeenTable): unknown[] {
  const { metadata } = table;
  const id = 1_000_000 + dice.below(1_000_000_000);
  const snapshots = metadata.snapshots ?? [];
  const one = snapshots.length > 0 ? dice.pick(snapshots)['snapshot-id'] : id;
  const list =
    snapshots.length > 0 ? dice.pick(snapshots)['manifest-list'] : `${metadata.location}/metadata/snap-${id}.avro`;
  const ref = dice.pick(['main', 'b', 'tag', 'constructor']);
  const snapshot = {
    'snapshot-id': id,
    ...(dice.chance(0.5) ? { 'parent-snapshot-id': one } : {}),
    'sequence-number': metadata['last-sequence-number'] + 1,
    'timestamp-ms': Date.now(),
    'manifest-list': list,
    summary: { operation: 'append', 'added-records': '3', 'total-records': '3' },
    'schema-id': metadata['current-schema-id'],
  };
  const statistics = {
    'snapshot-id': one,
    'statistics-path': `${metadata.location}/metadata/x.puffin`,
    'file-size-in-bytes': 10,
    'file-footer-size-in-bytes': 5,
    'blob-metadata': [],
  };
  const choices: unknown[][] = [
    [{ action: 'assign-uuid', uuid: metadata['table-uuid'] }],
    [{ action: 'upgrade-format-version', 'format-version': dice.pick([1, 2, 3, 4]) }],
    [
      { action: 'add-schema', schema: WIDER, 'last-column-id': 9 },
      { action: 'set-current-schema', 'schema-id': -1 },
    ],
    [{ action: 'set-current-schema', 'schema-id': dice.pick([-1, 0, 1, 2, 99]) }],
    [{ action: 'remove-schemas', 'schema-ids': [dice.below(4)] }],
    [
      { action: 'add-spec', spec: SPEC },
      { action: 'set-default-spec', 'spec-id': -1 },
    ],
    [{ action: 'set-default-spec', 'spec-id': dice.pick([-1, 0, 1, 99]) }],
    [{ action: 'remove-partition-specs', 'spec-ids': [dice.below(3)] }],
    [
      { action: 'add-sort-order', 'sort-order': ORDER },
      { action: 'set-default-sort-order', 'sort-order-id': -1 },
    ],
    [
      { action: 'add-snapshot', snapshot },
      { action: 'set-snapshot-ref', 'ref-name': ref, type: 'branch', 'snapshot-id': id },
    ],
    [
      {
        action: 'set-snapshot-ref',
        'ref-name': ref,
        type: dice.pick(['branch', 'tag']),
        'snapshot-id': one,
        'max-ref-age-ms': 1000,
      },
    ],
    [{ action: 'remove-snapshots', 'snapshot-ids': [one] }],
    [{ action: 'remove-snapshot-ref', 'ref-name': ref }],
    [{ action: 'set-location', location: metadata.location }],
    [
      {
        action: 'set-properties',
        updates: { comment: 'x', 'write.format.default': 'parquet', 'schema.name-mapping.default': '[]' },
      },
    ],
    [{ action: 'remove-properties', removals: ['comment'] }],
    [{ action: 'set-statistics', 'snapshot-id': one, statistics }],
    [{ action: 'remove-statistics', 'snapshot-id': one }],
    [
      {
        action: 'set-partition-statistics',
        'partition-statistics': { 'snapshot-id': one, 'statistics-path': list, 'file-size-in-bytes': 1 },
      },
    ],
    [{ action: 'remove-partition-statistics', 'snapshot-id': one }],
    [{ action: 'add-encryption-key', 'encryption-key': { 'key-id': 'k', 'encrypted-key-metadata': 'eA==' } }],
    [{ action: 'remove-encryption-key', 'key-id': 'k' }],
  ];
  return Array.from({ length: 1 + dice.below(2) }, () => dice.pick(choices)).flat();
}

const commit = (dice: Dice, table: SeenTable) => ({
  requirements: requirements(dice, table),
  updates: updates(dice, table),
});
const levels = (namespace: string) => namespace.split('.');
const identifier = (names: Names) => ({ namespace: levels(names.namespace()), name: names.table() });
const version = (id: number) => ({
  'version-id': id,
  'schema-id': 0,
  'timestamp-ms': 1_700_000_000_000,
  summary: { 'engine-name': 'fuzz' },
  'default-namespace': ['raw'],
  representations: [{ type: 'sql', dialect: 'duckdb', sql: 'SELECT id FROM raw.orders' }],
});

/** A valid body, by operation of the protocol. */
export const CATALOG_BODIES: Readonly<Record<string, Make>> = {
  createNamespace: (_, __, names) => ({ namespace: levels(names.namespace()), properties: { comment: 'x' } }),
  updateProperties: () => ({ removals: ['gone'], updates: { comment: 'y' } }),
  createTable: (dice, world, names) => ({
    name: names.table(),
    schema: SCHEMA,
    ...(dice.chance(0.3) ? { 'partition-spec': { ...SPEC, 'spec-id': 0 } } : {}),
    ...(dice.chance(0.3) ? { 'write-order': ORDER } : {}),
    ...(dice.chance(0.2) ? { 'stage-create': true } : {}),
    ...(dice.chance(0.2) ? { location: dice.pick(locations(world, names)) } : {}),
    ...(dice.chance(0.3) ? { properties: { 'format-version': dice.pick(['1', '2', '3', '9']) } } : {}),
  }),
  registerTable: (dice, world, names) => ({
    name: names.table(),
    'metadata-location': dice.chance(0.7)
      ? dice.pick([tableOf(dice, world).metadataLocation, ...world.past])
      : dice.pick(locations(world, names)),
    ...(dice.chance(0.5) ? { overwrite: true } : {}),
  }),
  updateTable: (dice, world) => commit(dice, tableOf(dice, world)),
  commitTransaction: (dice, world) => ({
    'table-changes': Array.from({ length: 1 + dice.below(3) }, () => {
      const table = tableOf(dice, world);
      return { identifier: { namespace: levels(table.namespace), name: table.name }, ...commit(dice, table) };
    }),
  }),
  renameTable: (_, __, names) => ({ source: identifier(names), destination: identifier(names) }),
  renameView: (_, __, names) => ({ source: identifier(names), destination: identifier(names) }),
  reportMetrics: () => ({
    'report-type': 'scan-report',
    'table-name': 'x',
    'snapshot-id': 1,
    filter: true,
    metrics: {},
  }),
  signRequest: (dice, world, names) => ({
    region: 'us-east-1',
    uri: `https://bucket.s3.amazonaws.com/${dice.pick(locations(world, names))}`,
    method: dice.pick(['GET', 'PUT', 'DELETE', 'POST']),
    headers: { 'x-amz-content-sha256': ['UNSIGNED-PAYLOAD'] },
  }),
  createView: (_, __, names) => ({ name: names.table(), schema: SCHEMA, 'view-version': version(1), properties: {} }),
  replaceView: (dice, { views }) => ({
    requirements:
      views.length > 0 && dice.chance(0.5) ? [{ type: 'assert-view-uuid', uuid: dice.pick(views).uuid }] : [],
    updates: [
      { action: 'add-view-version', 'view-version': version(dice.below(5)) },
      { action: 'set-current-view-version', 'view-version-id': -1 },
      ...(dice.chance(0.3) ? [{ action: 'set-properties', updates: { a: 'b' } }] : []),
    ],
  }),
  registerView: (dice, { views }, names) => ({
    name: names.table(),
    'metadata-location': views.length > 0 ? dice.pick(views).metadataLocation : 'nowhere/metadata/1.json',
  }),
};

/** Forms of a token request. */
export const FORMS = (token: string): readonly string[] => [
  `grant_type=client_credentials&client_secret=${token}&scope=catalog`,
  `grant_type=client_credentials&client_id=nobody&client_secret=${token}`,
  'grant_type=client_credentials&client_secret=wrong',
  `grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=${token}`,
  'grant_type=password&username=admin&password=x',
  'grant_type=%00&client_secret=%ff%fe',
  `${'a=b&'.repeat(5000)}grant_type=client_credentials`,
  'grant_type',
  '{"grant_type":"client_credentials"}',
  '',
];
