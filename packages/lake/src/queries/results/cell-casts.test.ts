import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { columnsOf } from '../sandbox/child-statements.ts';
import { trustedSql } from '../sql-text.ts';
import { castOf } from './cell-casts.ts';
import { jsonValue } from './json-values.ts';
import { castQuery, outputColumns } from './result-columns.ts';

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});

afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

test.each([
  ['TINYINT', '-128', '127'],
  ['SMALLINT', '-32768', '32767'],
  ['UTINYINT', '0', '255'],
  ['USMALLINT', '0', '65535'],
  ['UINTEGER', '0', '4294967295'],
  ['UBIGINT', '0', '18446744073709551615'],
  ['HUGEINT', '-99999999999999999999999999999999999999', '99999999999999999999999999999999999999'],
  ['UHUGEINT', '0', '99999999999999999999999999999999999999'],
])('a cell of type %s is cast as the engine casts it', async (type, ...values) => {
  const all = [...values, '7', 'NULL'].map((value) => `((${value})::${type})`).join(', ');
  const query = trustedSql(`SELECT x FROM (VALUES ${all}) t(x)`);
  const result = await connection.run(query.text);
  const columns = columnsOf(result);
  const cast = castOf(columns[0]!.type)!;
  const byEngine = await connection.run(castQuery(query, outputColumns(columns)).text);
  const expected = (await byEngine.getRows()).map(([value]) => jsonValue(value!));
  expect((await result.getRows()).map(([value]) => jsonValue(cast(value!)!))).toEqual(expected);
});

test.each(['HUGEINT', 'UHUGEINT'])('the engine reports a cell of type %s that has too many digits', async (type) => {
  const query = trustedSql(`SELECT 100000000000000000000000000000000000000::${type} AS x`);
  const result = await connection.run(query.text);
  const columns = columnsOf(result);
  const [[value]] = (await result.getRows()) as [[bigint]];
  expect(castOf(columns[0]!.type)!(value)).toBeUndefined();
  await expect(connection.run(castQuery(query, outputColumns(columns)).text)).rejects.toThrow('Conversion Error');
});

test('only the engine casts other types', () => {
  expect(castOf({ text: 'INTERVAL', id: 'INTERVAL' })).toBeNull();
});
