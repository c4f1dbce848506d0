import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { joinLocation, type ObjectStore, StorageError } from '../../storage/index.ts';
import {
  createTableMetadata,
  parseMetadata,
  scanFiles,
  stringifyLossless,
  UnsupportedTableError,
} from '../../tables/index.ts';
import { manifestEntrySchema, manifestListSchema } from '../../tables/manifests/manifest-schemas.ts';
import { type AvroSchema, writeAvro } from '../../tables/manifests/write-avro.ts';
import { chooseViewSql, parseViewMetadata } from '../../views/index.ts';
import type { Relation } from '../index.ts';
import type { FileLayout } from '../relations/file-layout.ts';
import { managedSql } from '../relations/managed-sql.ts';
import { bareSql, hostileTexts, MARK, oddAvro, oddJson, seeded } from './hostile-values.ts';
import { QueryFixture } from './query-fixture.ts';

type Json = Readonly<Record<string, unknown>>;
type AvroField = { readonly name: string; readonly type: unknown };

const SECRET = 'the-key-of-the-service';
const SYNC = Buffer.alloc(16, 7);
const NOW = 1_000_000;
const VIEW = {
  'view-uuid': '00000000-0000-4000-8000-000000000002',
  'format-version': 1,
  'current-version-id': 1,
  versions: [
    {
      'version-id': 1,
      'timestamp-ms': 1,
      'schema-id': 0,
      summary: { engine: 'e' },
      representations: [{ type: 'sql', sql: 'SELECT id FROM fuzz.t', dialect: 'duckdb' }],
      'default-catalog': 'c',
      'default-namespace': ['fuzz'],
    },
  ],
  'version-log': [{ 'version-id': 1, 'timestamp-ms': 1 }],
  schemas: [{ type: 'struct', 'schema-id': 0, fields: [{ id: 1, name: 'id', required: false, type: 'long' }] }],
  properties: { a: 'b' },
};

/** The columns of the fixture's files: the data file lacks the column that the table is partitioned by. */
const LAYOUT: FileLayout = {
  key: 'fuzz',
  columns: [
    { name: 'id', id: 1, kind: 'leaf', type: 'BIGINT' },
    { name: 'file_path', id: 2_147_483_546, kind: 'leaf', type: 'VARCHAR' },
    { name: 'pos', id: 2_147_483_545, kind: 'leaf', type: 'BIGINT' },
  ],
};

const KINDS = ['entry', 'entry', 'entry', 'list', 'list', 'metadata', 'metadata', 'view', 'bytes'] as const;

type Twist = {
  readonly kind: (typeof KINDS)[number];
  readonly at: string;
  readonly files: ReadonlyMap<string, Buffer>;
};

/** What became of the files. */
export type Verdict = { refused: number; planned: number; ran: number; readonly faults: string[] };

/**
 * Tables whose files say something else than the Iceberg specification in one place, as nobody but an attacker writes
 * them: each is read by the product's own readers, and what they accept is planned; some of it runs in the sandbox.
 */
export class FileFuzzer {
  private readonly fixture: QueryFixture;
  private readonly texts: readonly string[];
  private readonly data: string;
  private readonly positions: string;
  private readonly keys: string;
  private readonly pick: (below: number) => number;

  private constructor(fixture: QueryFixture, files: readonly string[], seed: number) {
    this.fixture = fixture;
    [this.data, this.positions, this.keys] = files as [string, string, string];
    this.texts = hostileTexts(path.join(fixture.dir, 'secret.txt'));
    this.pick = seeded(seed);
  }

  static async create(seed: number): Promise<FileFuzzer> {
    const f = await QueryFixture.create();
    const id = { name: 'id', type: 'long' };
    const data = await f.addTable('fuzz.data', [id], 'SELECT range AS id FROM range(3)');
    const columns = [
      { name: 'file_path', type: 'string' },
      { name: 'pos', type: 'long' },
    ];
    const row = `SELECT '${data.location}' AS file_path, 0::BIGINT AS pos`;
    const positions = await f.addTable('fuzz.positions', columns, row);
    const keys = await f.addTable('fuzz.keys', [id], 'SELECT 1::BIGINT AS id');
    await writeFile(path.join(f.dir, 'secret.txt'), SECRET);
    return new FileFuzzer(
      f,
      [data, positions, keys].map((file) => file.location),
      seed,
    );
  }

  /** The rows of the table as nobody has twisted it. */
  async rows(): Promise<unknown> {
    const relation = await this.read(await this.written('list', 'nothing'));
    this.fixture.relations.set('fuzz.whole', relation!);
    return this.fixture.rows('SELECT id, name FROM fuzz.whole ORDER BY id');
  }

  close(): Promise<void> {
    return this.fixture.close();
  }

  /** @param every how many of those planned are run: one of so many */
  async run(count: number, every: number): Promise<Verdict> {
    const verdict: Verdict = { refused: 0, planned: 0, ran: 0, faults: [] };
    for (let i = 0; i < count && verdict.faults.length < 10; i++) {
      const twist = await this.twisted();
      const told = `#${i} ${twist.kind} ${twist.at}`;
      try {
        const relation = await this.read(twist);
        const planned = relation === null ? null : await this.plan(relation);
        if (planned !== null) verdict.faults.push(`${told}: ${planned}`);
        verdict[relation === null ? 'refused' : 'planned'] += 1;
        if (relation === null || verdict.planned % every !== 0) continue;
        verdict.ran += 1;
        const ran = await this.query(relation);
        if (ran !== null) verdict.faults.push(`${told}: ${ran}`);
      } catch (error) {
        verdict.faults.push(`${told}: ${(error as Error).stack}`);
      }
    }
    return verdict;
  }

  /** Null for what the readers refuse, which they do by errors that say so. */
  private async read({ kind, files }: Twist): Promise<Relation | null> {
    const { store } = this.fixture;
    const read = async (location: string) => files.get(location) ?? store.read(location);
    const twisted: ObjectStore = Object.assign(Object.create(store), { read });
    try {
      if (kind === 'view') {
        const metadata = parseViewMetadata(files.get('view')!.toString());
        const chosen = metadata && chooseViewSql(metadata);
        if (!chosen) return null;
        const { sql, ...engine } = chosen;
        return { kind: 'view', sql, engine: { ...engine, columns: ['id'] } };
      }
      const {
        schema,
        files: found,
        nameMapping,
        former,
      } = await scanFiles(twisted, parseMetadata(files.get('table')!));
      return {
        kind: 'managed',
        fields: schema.fields,
        files: found,
        nameMapping: nameMapping ?? null,
        former: former ?? [],
      };
    } catch (error) {
      if (error instanceof UnsupportedTableError || error instanceof StorageError) return null;
      throw error;
    }
  }

  /** The SQL must hold nothing of what is hostile but in literals and quoted names. */
  private async plan(relation: Relation): Promise<string | null> {
    if (relation.kind !== 'managed') return null;
    const access = {
      localPath: async (location: string) => location,
      layouts: async (paths: readonly string[]) => new Map(paths.map((file) => [file, LAYOUT])),
    };
    try {
      const bare = bareSql((await managedSql(relation, access)).sql.text);
      return bare.includes(MARK) || /[;'"\0]|--|\/\*/.test(bare) ? `unquoted text in ${bare}` : null;
    } catch (error) {
      if (error instanceof UnsupportedTableError) return null;
      throw error;
    }
  }

  private async query(relation: Relation): Promise<string | null> {
    const { fixture } = this;
    fixture.relations.set('fuzz.twisted', relation);
    if (relation.kind === 'view') fixture.relations.set('fuzz.t', fixture.relations.get('fuzz.data')!);
    const outcome = await fixture.query('SELECT * FROM fuzz.twisted', { owner: 'reader' });
    const shown = JSON.stringify(outcome, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
    if (shown.includes(SECRET)) return `read the secret: ${shown}`;
    if (outcome.ok || /^[A-Z].*[.?]$/s.test(outcome.error.message)) return null;
    return `an error that is no sentence: ${outcome.error.message}`;
  }

  private text = (): string => {
    // Now and then one that is very long.
    if (this.pick(200) === 0) return MARK.repeat(100_000);
    return this.texts[this.pick(this.texts.length)]!;
  };

  private async twisted(): Promise<Twist> {
    const kind = KINDS[this.pick(KINDS.length)]!;
    if (kind === 'view') {
      const [at, view] = this.twistJson({ ...VIEW, location: joinLocation(this.fixture.store.root, 'v') });
      return { kind, at, files: new Map([['view', Buffer.from(stringifyLossless(view))]]) };
    }
    return this.written(kind);
  }

  private async written(kind: Twist['kind'], only?: 'nothing'): Promise<Twist> {
    const base = this.table();
    const rows = { list: base.list, data: base.entries.slice(0, 1), deletes: base.entries.slice(1) };
    const schemas = { list: manifestListSchema(3) as AvroSchema, data: base.schema, deletes: base.schema };
    let metadata: unknown = base.metadata;
    let at = 'container';
    if (kind === 'metadata') [at, metadata] = this.twistJson(base.metadata);
    if (only === undefined && (kind === 'list' || kind === 'entry')) {
      const part = kind === 'list' ? 'list' : this.pick(2) === 0 ? 'data' : 'deletes';
      const row = this.pick(rows[part].length);
      const twist = this.twistRecord(schemas[part], rows[part][row] as Json);
      at = `${part} ${twist.at}`;
      schemas[part] = twist.schema;
      // All rows of a file have its schema.
      rows[part] = [twist.row] as never;
    }
    const files = new Map<string, Buffer>([['table', Buffer.from(stringifyLossless(metadata))]]);
    for (const part of ['list', 'data', 'deletes'] as const)
      files.set(base.locations[part], await writeAvro(schemas[part], {}, rows[part], SYNC));
    if (kind === 'bytes') {
      const name = [...files.keys()][this.pick(files.size)]!;
      files.set(name, this.damaged(files.get(name)!));
      at = path.basename(name);
    }
    return { kind, at, files };
  }

  /** The file with some bytes changed, or cut off. */
  private damaged(file: Buffer): Buffer {
    const copy = Buffer.from(file);
    for (let i = this.pick(4); i >= 0; i--) copy[this.pick(copy.length)] = this.pick(256);
    return this.pick(4) === 0 ? copy.subarray(0, this.pick(copy.length)) : copy;
  }

  /** A record with one of its fields, at any depth, of another type or value, or left out. */
  private twistRecord(schema: AvroSchema, row: Json, depth = 0): { at: string; schema: AvroSchema; row: Json } {
    const fields = schema['fields'] as readonly AvroField[];
    const at = this.pick(fields.length);
    const field = fields[at]!;
    const inner = field.type as AvroSchema;
    const changed = (type: unknown, value: unknown, name = field.name) => ({
      at: name,
      schema: { ...schema, fields: fields.with(at, { ...field, type, default: undefined } as AvroField) },
      row: { ...row, [field.name]: value },
    });
    if (inner['type'] === 'record' && this.pick(10) > 0) {
      const twist = this.twistRecord(inner, row[field.name] as Json, depth + 1);
      return changed(twist.schema, twist.row, `${field.name}.${twist.at}`);
    }
    if (this.pick(20) === 0)
      return { at: `without ${field.name}`, schema: { ...schema, fields: fields.toSpliced(at, 1) }, row };
    // Of its own type a hostile text is taken more often than of another one.
    const isText = typeof row[field.name] === 'string';
    if (this.pick(isText ? 4 : 8) > (isText ? 0 : 6)) {
      // A path of the table's own that is hostile behind it.
      const text = this.pick(2) === 0 ? this.text() : `${this.fixture.store.root}/data/${this.text()}`;
      return changed(isText ? inner : 'string', text);
    }
    const odd = oddAvro(this.texts);
    const [type, value] = odd[this.pick(odd.length)]!;
    return changed(type, value);
  }

  /** A JSON value with one of its parts, at any depth, replaced or left out. */
  private twistJson(value: unknown): [at: string, value: unknown] {
    const odd = oddJson([...this.texts, this.text()]);
    if (typeof value === 'string' && this.pick(4) > 0) return ['', this.text()];
    if (typeof value !== 'object' || value === null || this.pick(12) === 0) return ['', odd[this.pick(odd.length)]];
    const keys = Object.keys(value);
    if (keys.length === 0) return ['', { [this.text()]: this.text() }];
    const key = keys[this.pick(keys.length)]!;
    const [at, part] = this.twistJson((value as Json)[key]);
    const left = this.pick(15) === 0;
    if (Array.isArray(value)) return [`[${key}]${at}`, value.with(Number(key), part)];
    const { [key]: _gone, ...others } = value as Json;
    return [`.${key}${at}`, left ? others : { ...others, [key]: part }];
  }

  private table() {
    const { root } = this.fixture.store;
    const columns = [
      { name: 'id', type: 'long' },
      { name: 'name', type: 'string' },
      { name: 's', type: 'struct<x:int,l:list<string>>' },
    ];
    const made = createTableMetadata({ uuid: VIEW['view-uuid'], location: root, columns, now: NOW });
    const locations = { list: `${root}/m/list.avro`, data: `${root}/m/data.avro`, deletes: `${root}/m/deletes.avro` };
    const snapshot = {
      'snapshot-id': 7,
      'sequence-number': 2,
      'timestamp-ms': NOW,
      'manifest-list': locations.list,
      summary: { operation: 'append', 'total-records': '3' },
      'schema-id': 0,
      'first-row-id': 0,
      'added-rows': 3,
    };
    const metadata = {
      ...made,
      'format-version': 3,
      'next-row-id': 3,
      'last-sequence-number': 2,
      'partition-specs': [
        {
          'spec-id': 0,
          fields: [{ name: 'name', transform: 'identity', 'source-id': 2, 'field-id': 1000 }],
        },
      ],
      'sort-orders': [
        {
          'order-id': 0,
          fields: [{ transform: 'identity', 'source-id': 1, direction: 'asc', 'null-order': 'nulls-first' }],
        },
      ],
      'current-snapshot-id': 7,
      snapshots: [snapshot],
      'snapshot-log': [{ 'timestamp-ms': NOW, 'snapshot-id': 7 }],
      'metadata-log': [{ 'timestamp-ms': NOW, 'metadata-file': `${root}/m/v1.json` }],
      refs: { main: { 'snapshot-id': 7, type: 'branch', 'max-ref-age-ms': 5 } },
      statistics: [{ 'snapshot-id': 7, 'statistics-path': `${root}/m/s`, 'file-size-in-bytes': 5 }],
    };
    const partition = {
      type: 'record',
      name: 'r102',
      fields: [{ name: 'name', type: ['null', 'string'], default: null, 'field-id': 1000 }],
    };
    const entry = (content: number, file_path: string, more: object = {}) => ({
      status: 1,
      snapshot_id: 7n,
      sequence_number: content === 0 ? 1n : 2n,
      file_sequence_number: 1n,
      data_file: {
        content,
        file_path,
        file_format: 'PARQUET',
        partition: { name: 'n' },
        record_count: 3n,
        file_size_in_bytes: 500n,
        column_sizes: [{ key: 1, value: 5n }],
        value_counts: null,
        null_value_counts: [{ key: 1, value: 0n }],
        nan_value_counts: null,
        lower_bounds: [{ key: 1, value: Buffer.alloc(8) }],
        upper_bounds: [{ key: 1, value: Buffer.alloc(8, 1) }],
        key_metadata: null,
        split_offsets: [4n],
        equality_ids: null,
        sort_order_id: 0,
        first_row_id: null,
        referenced_data_file: null,
        content_offset: null,
        content_size_in_bytes: null,
        ...more,
      },
    });
    const manifest = (manifest_path: string, content: number) => ({
      manifest_path,
      manifest_length: 100n,
      partition_spec_id: 0,
      content,
      sequence_number: 2n,
      min_sequence_number: 1n,
      added_snapshot_id: 7n,
      added_files_count: 1,
      existing_files_count: 0,
      deleted_files_count: 0,
      added_rows_count: 3n,
      existing_rows_count: 0n,
      deleted_rows_count: 0n,
      partitions: [{ contains_null: false, contains_nan: null, lower_bound: Buffer.from('n'), upper_bound: null }],
      key_metadata: null,
      first_row_id: content === 0 ? 0n : null,
    });
    return {
      metadata,
      locations,
      schema: manifestEntrySchema(partition, 3),
      list: [manifest(locations.data, 0), manifest(locations.deletes, 1)],
      entries: [entry(0, this.data), entry(1, this.positions), entry(2, this.keys, { equality_ids: [1] })],
    };
  }
}
