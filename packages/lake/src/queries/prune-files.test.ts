import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { joinLocation, type ObjectStore, openLocalStore } from '../storage/index.ts';
import { columnTypeOf, type IcebergField, parseMetadata, type ScanFile, scanFiles } from '../tables/index.ts';
import { relocatedStore } from '../tables/testing/relocated-store.ts';
import { conditionOn } from './conditions.ts';
import { guard } from './guard.ts';
import { type Relation, runQuery, Sandbox } from './index.ts';
import { pruned } from './prune-files.ts';
import { identifier, literal } from './sql-text.ts';

/** Tables written by the Iceberg Java library, with nulls, NaN, cut bounds, deletes, renamed and widened columns. */
const TABLES = fileURLToPath(new URL('../tables/testing/engines/tables', import.meta.url));

let dir: string;
let store: ObjectStore;
let sandbox: Sandbox;
let parser: DuckDBConnection;
let instance: DuckDBInstance;
beforeAll(async () => {
  dir = await fs.mkdtemp(path.join(os.tmpdir(), 'pruning-'));
  await fs.cp(TABLES, path.join(dir, 'tables'), { recursive: true });
  store = relocatedStore(await openLocalStore(path.join(dir, 'tables')), '/warehouse/java');
  const limits = { memoryLimit: 2 ** 30, timeoutMs: 60_000, threads: 2, tempLimit: 200 * 1024 * 1024 };
  sandbox = new Sandbox({ store, tempDir: path.join(dir, 'tmp'), spares: 1, ...limits });
  instance = await DuckDBInstance.create(':memory:');
  parser = await instance.connect();
});
afterAll(async () => {
  parser.closeSync();
  instance.closeSync();
  await sandbox.close();
  await fs.rm(dir, { recursive: true, force: true });
});

type Managed = Extract<Relation, { kind: 'managed' }>;

async function relationOf(name: string): Promise<Managed> {
  const { metadata } = JSON.parse(await fs.readFile(path.join(TABLES, name, 'expected.json'), 'utf8'));
  const { schema, ...scan } = await scanFiles(store, parseMetadata(await store.read(metadata)));
  return { kind: 'managed', fields: schema.fields, ...scan };
}

let results = 0;
async function rows(relation: Relation, sql: string) {
  const outcome = await runQuery(sandbox, {
    sql,
    resolve: async (asked) => asked.map(() => relation),
    owner: 'test',
    output: { kind: 'result', location: joinLocation(store.root, 'results', `${++results}.parquet`) },
  });
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return outcome.rows!;
}

/** What the statement leaves of the table `t`. */
async function filesOf(relation: Managed, sql: string): Promise<readonly ScanFile[]> {
  const reader = await parser.runAndReadAll(`SELECT json_serialize_sql(${literal(sql)})`);
  const guarded = guard(String(reader.getRows()[0]![0]));
  if (!guarded.ok) throw new Error(guarded.message);
  const { name, node } = guarded.tableNodes.find((held) => held.name.at(-1) === 't')!;
  return pruned(relation, conditionOn(guarded, name, node)).files;
}

const CASTS: Readonly<Record<string, string>> = {
  string: '',
  date: 'DATE ',
  timestamp: 'TIMESTAMP ',
  timestamptz: 'TIMESTAMPTZ ',
};

/** The column's values as constants, and what one may ask about them. */
async function predicates(relation: Managed, field: IcebergField): Promise<string[]> {
  const column = identifier(field.name);
  const kind = typeof field.type === 'string' ? columnTypeOf(field.type).kind : 'nested';
  const nulls = [`${column} IS NULL`, `${column} IS NOT NULL`];
  if (['nested', 'binary', 'boolean', 'uuid', 'time'].includes(kind)) return nulls;
  const held = await rows(relation, `SELECT DISTINCT ${column}::VARCHAR FROM t WHERE ${column} IS NOT NULL ORDER BY 1`);
  const texts = held
    .flat()
    .map(String)
    .filter((text) => !text.includes('\0'));
  const cast = CASTS[kind];
  const constants = texts.filter((text) => cast !== undefined || !/nan|inf/i.test(text));
  const written = [...constants.slice(0, 2), ...constants.slice(-2)].map((text) =>
    cast === undefined ? text : `${cast}${literal(text)}`,
  );
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

/** The wide tables take their time. */
const FEW = ['evolved', 'position_deletes', 'equality_deletes', 'defaults'];
const ALL = [
  ...FEW,
  'version1',
  'partitioned_equality',
  'dropped_keys',
  'specs',
  'types',
  'buckets',
  'truncated',
  'dates',
  'identities',
  'floats',
  'migrated',
];

test.each(process.env['TEST_LONG'] === '1' ? ALL : FEW)(
  'no file of %s is left out that has a row asked for',
  async (name) => {
    const relation = await relationOf(name);
    const asked = (await Promise.all(relation.fields.map((field) => predicates(relation, field)))).flat();
    const counts = asked.map((predicate, i) => `count(*) FILTER (WHERE ${predicate}) AS c${i}`).join(', ');
    const left = await Promise.all(asked.map((predicate) => filesOf(relation, `SELECT * FROM t WHERE ${predicate}`)));
    for (const file of relation.files) {
      const found = (await rows({ ...relation, files: [file] }, `SELECT ${counts} FROM t`))[0]!;
      const wrong = asked.filter((_, i) => !left[i]!.includes(file) && Number(found[i]) > 0);
      expect(wrong).toEqual([]);
    }
  },
);

test.each(['identities', 'dates'])('files of %s are left out by what they are partitioned by', async (name) => {
  const relation = await relationOf(name);
  const [field] = relation.fields.filter((f) => f.type === 'date' || f.type === 'int');
  const asked = (await predicates(relation, field!)).filter((predicate) => /^"[^"]+" = /.test(predicate));
  const left = await Promise.all(asked.map((predicate) => filesOf(relation, `SELECT * FROM t WHERE ${predicate}`)));
  expect(Math.min(...left.map((files) => files.length))).toBe(1);
  expect(relation.files.length).toBeGreaterThan(2);
});

test('a file that is left out is not looked for', async () => {
  const relation = await relationOf('identities');
  const field = relation.fields.find((f) => relation.files[0]!.constants?.has(f.id) && f.type === 'string')!;
  const value = relation.files.map((file) => file.constants!.get(field.id)!).find((text) => text !== null)!;
  const sql = `SELECT count(*) FROM t WHERE ${identifier(field.name)} = ${literal(value)}`;
  const kept = await filesOf(relation, sql);
  expect(kept.length).toBeLessThan(relation.files.length);
  const whole = await rows(relation, sql);
  const broken = relation.files.map((file) =>
    kept.includes(file) ? file : { ...file, location: `${file.location}.gone` },
  );
  expect(await rows({ ...relation, files: broken }, sql)).toEqual(whole);
  await expect(rows({ ...relation, files: broken }, 'SELECT * FROM t')).rejects.toThrow();
  // Whoever a policy binds is answered after it: what is compared may be masked.
  await expect(rows({ ...relation, files: broken, rowFilters: ['true'] }, sql)).rejects.toThrow();
});

test.each([
  ['named twice', 'SELECT * FROM t a, t b WHERE a.id = -1'],
  ['in a join', 'SELECT * FROM t LEFT JOIN (SELECT 1 AS one) o ON true WHERE t.id = -1'],
  ['the name given to something else', 'SELECT 1 AS id FROM t WHERE id = -1'],
  ['another table meant', 'SELECT * FROM t WHERE other.id = -1'],
  ['negated', 'SELECT * FROM t WHERE NOT id = -1'],
  ['one side unknown', 'SELECT * FROM t WHERE id = -1 OR random() > 0.5'],
  ['a value that is compared otherwise', "SELECT * FROM t WHERE id = '-1'"],
  ['a sample', 'SELECT * FROM t TABLESAMPLE 10% WHERE id = -1'],
  ['columns renamed', 'SELECT * FROM t AS x(y) WHERE id = -1'],
])('all files are read where the condition may mean something else: %s', async (_, sql) => {
  const relation = await relationOf('evolved');
  expect(await filesOf(relation, 'SELECT * FROM t WHERE id = -1')).toEqual([]);
  expect((await filesOf(relation, sql)).length).toBe(relation.files.length);
});
