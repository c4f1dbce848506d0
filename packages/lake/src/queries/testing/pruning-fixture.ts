import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { columnTypeOf, type IcebergField, joinLocation, parseMetadata, type ScanFile, scanFiles } from '@svc/iceberg';
import { ENGINE_TABLES, relocatedStore } from '@svc/iceberg/testing';
import { type ObjectStore, openLocalStore } from '../../storage/index.ts';
import { type Relation, runQuery, Sandbox } from '../index.ts';
import { pruned } from '../relations/prune-files.ts';
import { identifier, literal } from '../sql-text.ts';
import { conditionOn } from '../statement/conditions.ts';
import { guard } from '../statement/guard.ts';

export type Managed = Extract<Relation, { kind: 'managed' }>;

const CASTS: Readonly<Record<string, string>> = {
  string: '',
  date: 'DATE ',
  timestamp: 'TIMESTAMP ',
  timestamptz: 'TIMESTAMPTZ ',
};

/** Tables written by the Iceberg Java library, with nulls, NaN, cut bounds, deletes, renamed and widened columns. */
export class PruningFixture {
  private readonly dir: string;
  private readonly store: ObjectStore;
  private readonly sandbox: Sandbox;
  private readonly instance: DuckDBInstance;
  private readonly parser: DuckDBConnection;
  private results = 0;

  private constructor(dir: string, store: ObjectStore, instance: DuckDBInstance, parser: DuckDBConnection) {
    this.dir = dir;
    this.store = store;
    this.instance = instance;
    this.parser = parser;
    const limits = { memoryLimit: 2 ** 30, timeoutMs: 60_000, threads: 2, tempLimit: 200 * 1024 * 1024 };
    this.sandbox = new Sandbox({ store, tempDir: path.join(dir, 'tmp'), prefork: 1, ...limits });
  }

  static async open(): Promise<PruningFixture> {
    const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'pruning-'));
    await fs.cp(ENGINE_TABLES, path.join(dir, 'tables'), { recursive: true });
    const store = relocatedStore(await openLocalStore(path.join(dir, 'tables')), '/warehouse/java');
    const instance = await DuckDBInstance.create(':memory:');
    return new PruningFixture(dir, store, instance, await instance.connect());
  }

  async close(): Promise<void> {
    this.parser.closeSync();
    this.instance.closeSync();
    await this.sandbox.close();
    await fs.rm(this.dir, { recursive: true, force: true });
  }

  async relationOf(name: string): Promise<Managed> {
    const { metadata } = JSON.parse(await fs.readFile(path.join(ENGINE_TABLES, name, 'expected.json'), 'utf8'));
    const { schema, ...scan } = await scanFiles(this.store, parseMetadata(await this.store.read(metadata)));
    return { kind: 'managed', fields: schema.fields, ...scan };
  }

  async rows(relation: Relation, sql: string): Promise<readonly (readonly unknown[])[]> {
    const outcome = await runQuery(this.sandbox, {
      sql,
      resolve: async (tables) => tables.map(() => relation),
      owner: 'test',
      output: { kind: 'result', location: joinLocation(this.store.root, 'results', `${++this.results}.parquet`) },
    });
    if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
    return outcome.rows!;
  }

  /** What the statement leaves of the table `t`. */
  async filesOf(relation: Managed, sql: string): Promise<readonly ScanFile[]> {
    const reader = await this.parser.runAndReadAll(`SELECT json_serialize_sql(${literal(sql).text})`);
    const guarded = guard(String(reader.getRows()[0]![0]));
    if (!guarded.ok) throw new Error(guarded.message);
    const { name, node } = guarded.tableNodes.find((table) => table.name.at(-1) === 't')!;
    return pruned(relation, conditionOn(guarded, name, node)).files;
  }

  /** What one may ask about a column, with values of it as constants. */
  async predicates(relation: Managed, field: IcebergField): Promise<string[]> {
    const column = identifier(field.name).text;
    const kind = typeof field.type === 'string' ? columnTypeOf(field.type).kind : 'nested';
    const nulls = [`${column} IS NULL`, `${column} IS NOT NULL`];
    if (['nested', 'binary', 'boolean', 'uuid', 'time'].includes(kind)) return nulls;
    // A result with NUL in it is returned as a file, not as rows.
    const sql = `SELECT DISTINCT ${column}::VARCHAR FROM t WHERE NOT contains(${column}::VARCHAR, chr(0)) ORDER BY 1`;
    const texts = (await this.rows(relation, sql)).flat().map(String);
    const cast = CASTS[kind];
    const constants = texts.filter((text) => cast !== undefined || !/nan|inf/i.test(text));
    const some = new Set([...constants.slice(0, 2), ...constants.slice(-2)]);
    const written = [...some].map((text) => (cast === undefined ? text : `${cast}${literal(text).text}`));
    const compared = written.flatMap((c) => ['=', '<', '<=', '>', '>='].map((op) => `${column} ${op} ${c}`));
    const pairs = written
      .slice(1)
      .flatMap((c, i) => [
        `${column} IN (${c}, ${written[i]})`,
        `${column} BETWEEN ${written[i]} AND ${c}`,
        `(${c} < ${column} OR ${column} = ${written[i]})`,
        `NOT ${column} = ${c}`,
      ]);
    return [...nulls, ...compared, ...pairs];
  }

  /** Predicates for which a file that has a requested row was skipped. */
  async wrong(name: string): Promise<string[]> {
    const relation = await this.relationOf(name);
    const tables = (await Promise.all(relation.fields.map((field) => this.predicates(relation, field)))).flat();
    const counts = tables.map((predicate, i) => `count(*) FILTER (WHERE ${predicate}) AS c${i}`).join(', ');
    const left = await Promise.all(tables.map((one) => this.filesOf(relation, `SELECT * FROM t WHERE ${one}`)));
    const found: string[] = [];
    for (const file of relation.files) {
      const [counted] = await this.rows({ ...relation, files: [file] }, `SELECT ${counts} FROM t`);
      found.push(...tables.filter((_, i) => !left[i]!.includes(file) && Number(counted![i]) > 0));
    }
    return found;
  }
}
