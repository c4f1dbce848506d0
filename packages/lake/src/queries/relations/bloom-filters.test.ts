import { DuckDBInstance } from '@duckdb/node-api';
import { joinLocation } from '@svc/iceberg';
import type { Relation } from '../index.ts';
import { literal } from '../sql-text.ts';
import { QueryFixture } from '../testing/query-fixture.ts';

let f: QueryFixture;
const columns = [
  { name: 'id', type: 'int' },
  { name: 'raw', type: 'binary' },
  { name: 'negative', type: 'double' },
  { name: 'positive', type: 'float' },
];
// Few distinct values, and none of both signs, of which the engine's writer would lose one.
const SELECT = `SELECT i::INT AS id,
  CASE i % 3 WHEN 0 THEN 'text'::BLOB WHEN 1 THEN '\\xFF\\xFE'::BLOB ELSE '\\x5C'::BLOB END AS raw,
  CASE i % 3 WHEN 0 THEN '-0.0'::DOUBLE ELSE i % 3 END AS negative, CASE i % 3 WHEN 0 THEN 0::FLOAT ELSE i % 3 END AS positive
  FROM range(3000) t(i)`;

beforeAll(async () => {
  f = await QueryFixture.create();
  await f.addTable('default', columns, SELECT);
  const written = await f.addTable('filtered', columns, SELECT, { form: { filtered: [2, 3, 4] } });
  const { fields } = f.relations.get('filtered') as Extract<Relation, { kind: 'managed' }>;
  f.relations.set('plain', { kind: 'managed', fields, files: [{ ...written, sameColumns: true }] });
  const external = columns.slice(0, 2);
  const locations = [joinLocation(f.store.root, 'filtered', 'data', 'bloom_2_3_4_f.parquet')];
  f.relations.set('external', { kind: 'external', format: 'parquet', locations, columns: external });
});
afterAll(() => f.close());

const count = async (from: string) => (await f.rows(`SELECT count(*) FROM ${from}`))[0]![0];

// Conditions, IN, subqueries and joins reach the engine's reader in different ways.
async function found(table: string, column: string, value: string): Promise<unknown[]> {
  return Promise.all([
    count(`"${table}" t WHERE ${column} = ${value}`),
    count(`"${table}" t WHERE ${column} IN (${value})`),
    count(`"${table}" t WHERE ${column} IS NOT DISTINCT FROM ${value}`),
    count(`"${table}" t WHERE ${column} = (SELECT ${value})`),
    count(`"${table}" t JOIN (SELECT unnest([${value}]) AS k) ON k = ${column}`),
    count(`"${table}" t JOIN (SELECT ${value} AS k) ON k = ${column}`),
    count(
      `"${table}" t SEMI JOIN (SELECT ${column} AS k FROM "${table}" WHERE ${column} = ${value} LIMIT 1) ON k = ${column}`,
    ),
  ]);
}
const ALL = Array.from({ length: 7 }, () => 1000);

test.each(['default', 'filtered', 'plain', 'external'])(
  'every comparison with a binary value finds its rows (%s)',
  async (table) => {
    for (const value of ["'\\xFF\\xFE'::BLOB", "'\\x5C'::BLOB", "'text'::BLOB"])
      expect(await found(table, 'raw', value)).toEqual(ALL);
    expect(await count(`"${table}" WHERE raw <> 'text'::BLOB`)).toBe(2000);
    expect(await count(`"${table}" WHERE raw IS NULL`)).toBe(0);
  },
);

test.each(['default', 'filtered', 'plain'])('zeros of both signs are equal (%s)', async (table) => {
  for (const column of ['negative', 'positive']) {
    for (const value of ['0.0::DOUBLE', "'-0.0'::DOUBLE", '0', '1'])
      expect(await found(table, column, value)).toEqual(ALL);
    expect(await count(`"${table}" WHERE ${column} > 0.5`)).toBe(2000);
  }
  expect(await f.rows(`SELECT DISTINCT negative::VARCHAR FROM "${table}" WHERE negative = 0`)).toEqual([['-0.0']]);
});

test('only files for which bloom filters were requested have some', async () => {
  const duckdb = await DuckDBInstance.create(':memory:');
  const connection = await duckdb.connect();
  const filters = async (table: string) => {
    const { files } = f.relations.get(table) as Extract<Relation, { kind: 'managed' }>;
    const file = literal(await f.store.localPath(files[0]!.location)).text;
    return (
      await connection.runAndReadAll(`SELECT count(bloom_filter_offset) FROM parquet_metadata(${file})`)
    ).getRowsJson();
  };
  expect(await filters('default')).toEqual([['0']]);
  expect(await filters('filtered')).toEqual([['4']]);
  connection.closeSync();
  duckdb.closeSync();
});
