import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinLocation, stringifyLossless } from '@svc/iceberg';
import { writeAvro } from '@svc/iceberg/testing';
import type { FileTwists } from './file-twists.ts';
import {
  FOOTER,
  type FuzzedTable,
  fuzzedTable,
  type Json,
  NAME_MAPPING,
  VECTOR,
  VECTOR_OFFSET,
  VIEW,
} from './fuzzed-table.ts';
import type { QueryFixture } from './query-fixture.ts';

/*
 * Every format of a table's and a view's files that the service reads: metadata of the versions 1 to 3, name mappings,
 * entries of statistics files, manifest lists, manifests, deletion vectors, and what the engine finds in the footers of
 * Parquet files. Only the engine reads the contents of Parquet files (rows, position deletes and equality deletes); these
 * are damaged here and read in the sandbox.
 *
 * Not read, so not here: statistics files themselves (only the metadata's entries of them), the footer of a Puffin file
 * (manifests say where a vector lies), data files in Avro and ORC and encrypted tables (refused by name), and version hints.
 * The engine also reads files that people load or register as external tables.
 */
const SPECIFIED = ['entry', 'list', 'metadata', 'version 1', 'statistics', 'name mapping', 'view'] as const;
const BINARY = ['bytes', 'vector', 'vector entry', 'footer', 'parquet'] as const;

/** Each as often as it has fields to be wrong. */
export const KINDS = [...SPECIFIED, ...BINARY, 'entry', 'entry', 'list', 'metadata', 'vector'] as const;

export type Twist = {
  readonly kind: (typeof KINDS)[number] | 'nothing';
  readonly at: string;
  /** By location, or by what they are: `table` and `view`. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** What the engine finds in the footer of each file. */
  readonly footer: readonly (readonly (string | null)[])[];
};

const SYNC = Buffer.alloc(16, 7);
const TABLE_FILES = ['data', 'more', 'positions', 'keys', 'vectors'] as const;
type Locations = Readonly<Record<(typeof TABLE_FILES)[number], string>>;

type Part = 'list' | 'data' | 'deletes';

/** Makes the files of a table, all of them as they should be but for one place. */
export class TwistedFiles {
  private readonly fixture: QueryFixture;
  private readonly files: Locations;
  private readonly twists: FileTwists;
  private damaged = 0;

  private constructor(fixture: QueryFixture, files: Locations, twists: FileTwists) {
    this.fixture = fixture;
    this.files = files;
    this.twists = twists;
  }

  static async create(f: QueryFixture, twists: FileTwists): Promise<TwistedFiles> {
    const id = { name: 'id', type: 'long' };
    const data = await f.addTable('fuzz.data', [id], 'SELECT range AS id FROM range(3)');
    const more = await f.addTable('fuzz.more', [id], 'SELECT range + 10 AS id FROM range(5)');
    const columns = [
      { name: 'file_path', type: 'string' },
      { name: 'pos', type: 'long' },
    ];
    const row = `SELECT '${data.location}' AS file_path, 0::BIGINT AS pos`;
    const positions = await f.addTable('fuzz.positions', columns, row);
    const keys = await f.addTable('fuzz.keys', [id], 'SELECT 1::BIGINT AS id');
    const found = [data, more, positions, keys].map(({ location }) => location);
    const locations = Object.fromEntries(
      TABLE_FILES.map((name, i) => [name, found[i] ?? joinLocation(f.store.root, 'vectors.puffin')]),
    ) as Locations;
    return new TwistedFiles(f, locations, twists);
  }

  has(location: string): boolean {
    return Object.values(this.files).includes(location);
  }

  async make(kind: Twist['kind']): Promise<Twist> {
    const { root } = this.fixture.store;
    if (kind === 'view') {
      const [at, view] = this.twists.json({ ...VIEW, location: joinLocation(root, 'v') });
      return { kind, at, files: new Map([['view', Buffer.from(stringifyLossless(view))]]), footer: FOOTER };
    }
    const base = fuzzedTable(root, this.files);
    const [at, metadata] = this.metadata(kind, base);
    const [footerAt, footer] = kind === 'footer' ? this.twists.footer() : ['', FOOTER];
    const manifests = await this.manifests(kind, base);
    const files = new Map<string, Buffer>([['table', Buffer.from(stringifyLossless(metadata))]]);
    for (const part of ['list', 'data', 'deletes'] as const)
      files.set(base.locations[part], await writeAvro(manifests.schemas[part], {}, manifests.rows[part], SYNC));
    if (kind !== 'bytes') return { kind, at: `${at}${footerAt}${manifests.at}`, files, footer };
    const name = this.twists.one([...files.keys()]);
    files.set(name, this.twists.damaged(files.get(name)!));
    return { kind, at: path.basename(name), files, footer };
  }

  private metadata(kind: Twist['kind'], { metadata, locations }: FuzzedTable): [at: string, metadata: unknown] {
    const { twists } = this;
    switch (kind) {
      case 'metadata':
        return twists.json(metadata);
      case 'version 1':
        return twists.json(version1(metadata, [locations.data]));
      case 'statistics': {
        const key = twists.one(['statistics', 'partition-statistics'] as const);
        const [at, files] = twists.json(metadata[key]);
        return [`${key}${at}`, { ...metadata, [key]: files }];
      }
      case 'name mapping': {
        const [at, mapping] = twists.json(NAME_MAPPING);
        return [at, { ...metadata, properties: { 'schema.name-mapping.default': stringifyLossless(mapping) } }];
      }
      default:
        return ['', metadata];
    }
  }

  private async manifests(kind: Twist['kind'], base: FuzzedTable) {
    const { twists } = this;
    const rows: Record<Part, readonly Json[]> = { list: base.list, data: base.data, deletes: base.deletes };
    const schemas = { list: base.schemas.list, data: base.schemas.entry, deletes: base.schemas.entry };
    let at = '';
    let vector: Buffer = VECTOR;
    if (kind === 'list' || kind === 'entry') {
      const part = kind === 'list' ? 'list' : twists.one(['data', 'deletes', 'deletes'] as const);
      const twist = twists.record(schemas[part], twists.one(rows[part]), this.fixture.store.root);
      at = `${part} ${twist.at}`;
      schemas[part] = twist.schema;
      // All rows of a file have its schema.
      rows[part] = [twist.row];
    }
    if (kind === 'vector') {
      [at, vector] = twists.vector();
      const claims = { content_size_in_bytes: BigInt(vector.length), record_count: BigInt(twists.pick(6)) };
      rows.deletes = this.with('vectors', base.deletes, (file) => ({ ...file, ...claims }));
    }
    if (kind === 'vector entry') rows.deletes = this.with('vectors', base.deletes, (file) => twists.vectorEntry(file));
    if (kind === 'parquet') {
      at = twists.one(['data', 'positions', 'keys'] as const);
      const file_path = await this.damagedFile(this.files[at as 'data']);
      for (const part of ['data', 'deletes'] as const)
        rows[part] = this.with(at as 'data', rows[part], (file) => ({ ...file, file_path }));
    }
    await this.write(this.files.vectors, Buffer.concat([Buffer.alloc(VECTOR_OFFSET), vector]));
    return { at, rows, schemas };
  }

  /** Entries of a manifest, of which that of this file is changed. */
  private with(file: keyof Locations, entries: readonly Json[], change: (file: Json) => Json): Json[] {
    return entries.map((entry) => {
      const data = entry['data_file'] as Json;
      return data['file_path'] === this.files[file] ? { ...entry, data_file: change(data) } : entry;
    });
  }

  /**
   * Under a name of its own, because a file's columns are cached. Removes the file before it: the search for orphans
   * walks the whole folder for many of the tables.
   */
  private async damagedFile(location: string): Promise<string> {
    const { store } = this.fixture;
    const file = await readFile(await store.localPath(location));
    if (this.damaged > 0) await rm(fileURLToPath(joinLocation(store.root, `damaged${this.damaged}.parquet`)));
    const damaged = joinLocation(store.root, `damaged${++this.damaged}.parquet`);
    await this.write(damaged, this.twists.damaged(file));
    return damaged;
  }

  private async write(location: string, bytes: Buffer): Promise<void> {
    await writeFile(fileURLToPath(location), bytes);
  }
}

/** In the form of version 1: one schema, one spec, and the manifests in the snapshot itself. */
function version1({ schemas, 'partition-specs': _specs, ...metadata }: Json, manifests: readonly string[]): Json {
  return {
    ...metadata,
    'format-version': 1,
    schema: (schemas as readonly Json[])[0],
    'partition-spec': [{ name: 'name', transform: 'identity', 'source-id': 2 }],
    snapshots: [{ 'snapshot-id': 7, 'timestamp-ms': 1, manifests }],
  };
}
