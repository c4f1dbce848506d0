import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  findOrphanFiles,
  foreignFilesInMetadata,
  parseMetadata,
  StorageError,
  scanFiles,
  type TableMetadata,
  UnsupportedTableError,
} from '@svc/iceberg';
import { DeletionVectorError } from '@svc/iceberg/encoding';
import type { ObjectStore } from '../../storage/index.ts';
import { chooseViewSql, parseViewMetadata } from '../../views/index.ts';
import type { Relation } from '../index.ts';
import type { DeletedPosition } from '../relations/deleted-positions.ts';
import { readLayouts } from '../relations/file-layout.ts';
import { managedSql } from '../relations/managed-sql.ts';
import { readPositions } from '../sandbox/store-positions.ts';
import { FileTwists } from './file-twists.ts';
import { bareSql, hostileTexts, MARK, seeded } from './odd-values.ts';
import { QueryFixture } from './query-fixture.ts';
import { KINDS, type Twist, TwistedFiles } from './twisted-files.ts';

const SECRET = 'the-key-of-the-service';

/** What became of the files. */
export type Verdict = { refused: number; planned: number; ran: number; readonly faults: string[] };

/**
 * Tables whose files violate the Iceberg specification in one field, as nobody but an attacker writes
 * them: each is read by the product's own readers, and what they accept is planned; some of it runs in the sandbox.
 */
export class FileFuzzer {
  private readonly fixture: QueryFixture;
  private readonly twists: FileTwists;
  private readonly files: TwistedFiles;

  private constructor(fixture: QueryFixture, twists: FileTwists, files: TwistedFiles) {
    this.fixture = fixture;
    this.twists = twists;
    this.files = files;
  }

  static async create(seed: number): Promise<FileFuzzer> {
    const fixture = await QueryFixture.create();
    const secret = path.join(fixture.dir, 'secret.txt');
    await writeFile(secret, SECRET);
    const twists = new FileTwists(seeded(seed), hostileTexts(secret));
    return new FileFuzzer(fixture, twists, await TwistedFiles.create(fixture, twists));
  }

  /** The rows of the table as nobody has twisted it. */
  async rows(): Promise<unknown> {
    const relation = await this.read(await this.files.make('nothing'));
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
      const twist = await this.files.make(this.twists.one(KINDS));
      const label = `#${i} ${twist.kind} ${twist.at.slice(0, 200)}`;
      try {
        const relation = await this.read(twist);
        const planned = relation === null ? null : await this.plan(relation, twist);
        if (planned !== null) verdict.faults.push(`${label}: ${planned}`);
        verdict[relation === null ? 'refused' : 'planned'] += 1;
        if (relation === null || verdict.planned % every !== 0) continue;
        verdict.ran += 1;
        const ran = await this.query(relation);
        if (ran !== null) verdict.faults.push(`${label}: ${ran}`);
      } catch (error) {
        verdict.faults.push(`${label}: ${(error as Error).stack}`);
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
      const metadata = parseMetadata(files.get('table')!);
      if (kind === 'statistics' || kind === 'metadata') await this.upkeep(twisted, metadata);
      const { schema, files: found, nameMapping, formerSchemas } = await scanFiles(twisted, metadata);
      return {
        kind: 'managed',
        fields: schema.fields,
        files: found,
        nameMapping: nameMapping ?? null,
        formerSchemas: formerSchemas ?? [],
      };
    } catch (error) {
      if (error instanceof UnsupportedTableError || error instanceof StorageError) return null;
      throw error;
    }
  }

  /** What reads the entries of statistics files: which files are a table's own, and which belong to none. */
  private async upkeep(store: ObjectStore, metadata: TableMetadata): Promise<void> {
    const { root } = store;
    const statistics = [...(metadata.statistics ?? []), ...(metadata['partition-statistics'] ?? [])];
    if (foreignFilesInMetadata(store, root, metadata) === null) {
      const folder = `${new URL(root).pathname}/`;
      const outside = statistics.find((s) => !new URL(s['statistics-path'], 'file:///').pathname.startsWith(folder));
      if (outside) throw new Error(`a statistics file outside the table's folder: ${outside['statistics-path']}`);
    }
    const current = { metadata, metadataLocation: `${root}/m/v1.json` };
    const orphans = findOrphanFiles({ store, tableLocation: root, current: current as never, olderThan: 0 });
    for await (const orphan of orphans) throw new Error(`younger than all, and an orphan: ${orphan.location}`);
  }

  /** Hostile text may be in literals and quoted names of the SQL only; a vector may have existing rows only. */
  private async plan(relation: Relation, { footer }: Twist): Promise<string | null> {
    if (relation.kind !== 'managed') return null;
    try {
      const access = {
        localPath: (location: string) => this.localPath(location),
        layouts: async (paths: readonly string[]) =>
          readLayouts(paths.flatMap((file) => footer.map((row) => [file, ...row]))),
      };
      const { sql, vectors } = await managedSql(relation, access);
      const bare = bareSql(sql.text);
      if (bare.includes(MARK) || /[;'"\0]|--|\/\*/.test(bare)) return `unquoted text in ${bare}`;
      return await oddPosition(vectors ?? []);
    } catch (error) {
      if (error instanceof UnsupportedTableError) return null;
      throw error;
    }
  }

  /** Of a file that is there, else of none. */
  private async localPath(location: string): Promise<string> {
    return this.files.has(location) ? this.fixture.store.localPath(location) : location;
  }

  private async query(relation: Relation): Promise<string | null> {
    const { fixture } = this;
    fixture.relations.set('fuzz.twisted', relation);
    if (relation.kind === 'view') fixture.relations.set('fuzz.t', fixture.relations.get('fuzz.data')!);
    const outcome = await fixture.query('SELECT * FROM fuzz.twisted', { owner: 'reader' });
    const shown = JSON.stringify(outcome, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
    if (shown.includes(SECRET)) return `read the secret: ${shown}`;
    if (outcome.ok || /^[A-Z].*[.?]$/s.test(outcome.error.message)) return null;
    return `an error that isn't a sentence: ${outcome.error.message}`;
  }
}

/** Reads deletion vectors as the engine's process does, where their files are there. */
async function oddPosition(vectors: readonly DeletedPosition[]): Promise<string | null> {
  for (const vector of vectors) {
    let [last, count] = [-1, 0];
    try {
      for (const position of await readPositions(vector)) {
        count += 1;
        if (position > last && position < vector.rows && count <= vector.deleted) last = position;
        else return `a vector with row ${position} after ${last} of ${JSON.stringify(vector)}`;
      }
    } catch (error) {
      if (!(error instanceof DeletionVectorError) && !('code' in (error as Error))) throw error;
    }
  }
  return null;
}
