import { fieldsOfColumns, joinLocation } from '@svc/iceberg';
import { QueryFixture } from '../testing/query-fixture.ts';

let f: QueryFixture;
beforeAll(async () => {
  f = await QueryFixture.create();
  const columns = [
    { name: 'id', type: 'int' },
    { name: 'raw', type: 'binary' },
  ];
  // Few distinct values: the engine writes a bloom filter.
  const select = `SELECT i::INT AS id, CASE i % 3 WHEN 0 THEN 'text'::BLOB WHEN 1 THEN '\\xFF\\xFE'::BLOB ELSE '\\x5C'::BLOB END AS raw
    FROM range(3000) t(i)`;
  const written = await f.addTable('read', columns, select);
  const { fields } = fieldsOfColumns(columns);
  f.relations.set('plain', { kind: 'managed', fields, files: [{ ...written, sameColumns: true }] });
  const locations = [joinLocation(f.store.root, 'read', 'data', 'f.parquet')];
  f.relations.set('external', { kind: 'external', format: 'parquet', locations, columns });
});
afterAll(() => f.close());

// Conditions, IN, subqueries and joins reach the engine's reader in different ways.
test.each(['read', 'plain', 'external'])('every comparison with a binary value finds its rows (%s)', async (table) => {
  const count = async (rest: string) => (await f.rows(`SELECT count(*) FROM ${table} t ${rest}`))[0]![0];
  for (const value of ["'\\xFF\\xFE'::BLOB", "'\\x5C'::BLOB", "'text'::BLOB"]) {
    expect(await count(`WHERE raw = ${value}`)).toBe(1000);
    expect(await count(`WHERE raw IN (${value}, 'x'::BLOB)`)).toBe(1000);
    expect(await count(`WHERE raw IS NOT DISTINCT FROM ${value}`)).toBe(1000);
    expect(await count(`WHERE raw = (SELECT ${value})`)).toBe(1000);
    expect(await count(`JOIN (SELECT unnest([${value}]) AS k) ON k = raw`)).toBe(1000);
    expect(await count(`SEMI JOIN (SELECT raw AS k FROM ${table} WHERE raw = ${value} LIMIT 1) ON k = raw`)).toBe(1000);
  }
  expect(await count("WHERE raw <> 'text'::BLOB")).toBe(2000);
  expect(await count('WHERE raw IS NULL')).toBe(0);
});
