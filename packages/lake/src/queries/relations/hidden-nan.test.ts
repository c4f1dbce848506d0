import fs from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { fieldsOfColumns, joinLocation, type ScanFile } from '@svc/iceberg';
import { literal } from '../sql-text.ts';
import { QueryFixture } from '../testing/query-fixture.ts';

const columns = [
  { name: 'id', type: 'int' },
  { name: 'x', type: 'double' },
  { name: 's', type: 'struct<x: double>' },
];

let f: QueryFixture;
beforeAll(async () => {
  f = await QueryFixture.create();
  const location = joinLocation(f.store.root, 'foreign', 'data', 'f.parquet');
  const stage = await f.store.openStage();
  const written = path.join(stage.dir, 'f.parquet');
  await writeFile(written);
  const { size } = await f.store.moveInto(written, location);
  await stage.close();
  const file: ScanFile = { location, rows: 3, bytes: size, deletes: [] };
  f.relations.set('foreign', { kind: 'managed', fields: fieldsOfColumns(columns).fields, files: [file] });
  f.relations.set('external', { kind: 'external', format: 'parquet', locations: [location], columns });
});
afterAll(() => f.close());

/** A file with NaN in its second row whose statistics leave it out, as those of other writers do: they go from 1 to 5. */
async function writeFile(target: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows =
    'SELECT id::INTEGER AS id, x::DOUBLE AS x, {x: x::DOUBLE} AS s FROM (VALUES (1, 1), (2, 3), (3, 5)) t(id, x)';
  const ids = '{id: 1, x: 2, s: {__duckdb_field_id: 3, x: 4}}';
  await connection.run(
    `COPY (${rows}) TO ${literal(target).text} (FORMAT parquet, COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 0, FIELD_IDS ${ids})`,
  );
  connection.closeSync();
  instance.closeSync();
  const bytes = await fs.readFile(target);
  const three = Buffer.alloc(8);
  three.writeDoubleLE(3);
  for (let at = bytes.indexOf(three); at >= 0; at = bytes.indexOf(three, at)) bytes.writeDoubleLE(Number.NaN, at);
  await fs.writeFile(target, bytes);
}

test.each(['foreign', 'external'])(
  'rows with NaN match conditions that exceed the statistics of a file (%s)',
  async (table) => {
    const nan = "'nan'::DOUBLE";
    for (const column of ['x', 's.x']) {
      for (const condition of [`= ${nan}`, '> 100', ">= 'inf'::DOUBLE", `IN (7, ${nan})`, `BETWEEN 6 AND ${nan}`])
        expect([column, condition, await f.rows(`SELECT id FROM "${table}" t WHERE ${column} ${condition}`)]).toEqual([
          column,
          condition,
          [[2]],
        ]);
      expect(await f.rows(`SELECT id FROM "${table}" t JOIN (SELECT ${nan} AS k) ON k = ${column}`)).toEqual([[2]]);
    }
  },
);
