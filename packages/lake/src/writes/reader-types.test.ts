import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DEFAULT_DIALECT } from '@svc/core/writes';
import { fieldsOfColumns } from '@svc/iceberg';
import { sql } from '../queries/sql-text.ts';
import { readCsv } from './read-csv.ts';
import { readColumn, readerType, textColumn } from './value-sql.ts';

const TEXTS =
  `1 1.5 1.0 1e3 +1 -0 0x1F 1_000 "1,000" 1. .5 NaN nan inf -Infinity 1e400 1e-400 "" true T yes f no on 0 -1
  1970-01-01 1970-1-1 70-01-01 01/02/2020 2020-01-01T00:00:00Z 2020-01-01T00:00:00+02 2020-02-30 2020-W01-1 10000-01-01
  12:00 12:00:00 24:00:00 12:00:00.1230000 12:00:00+02 12:00:00.1234567 epoch infinity today now 123456789012345678901234567890 9223372036854775808
  0.123456789 0.10000000000000001 123.455 0.005 -0.005 99999999999.99 1234567890.125 550e8400-e29b-41d4-a716-446655440000
  550E8400E29B41D4A716446655440000 1.2300000000000002 1.2300000 1239e-3 1230e-3 1.239e1 1.e-9 0e-9 1_0.5_59 9007199254740993.5 3.5e38 YQ== [1] [1.0] [1.5] [a] null abc ２ ٣ 5e-1 0b1 1e --1`
    .split(/\s+/)
    .concat(
      ' 1',
      '1 ',
      '1\u00a0',
      '2020-01-01 00:00:00',
      '2020-01-01 10:00:00.1234567',
      '2020-01-01 (BC)',
      '" "',
      '2020-01-01 foo',
      '2020-01-01 00:00',
      '2020-1-1 x',
      '12:00:00 AM',
      '1:2:3 4',
      '2020-01-01 10:00:00.1234560Z',
      '"[null,1]"',
      '"[""1"",1.0]"',
      '"[""a""]"',
    );

const TYPES = [
  'boolean',
  'int',
  'long',
  'float',
  'double',
  'decimal(12,2)',
  'decimal(12,5)',
  'decimal(38,9)',
  'decimal(5,0)',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'uuid',
  'binary',
  'list<int>',
];

const fieldOf = (type: string) => fieldsOfColumns([{ name: 'v', type }]).fields[0]!;

test.each(TYPES)('%s: a text read by its type, a text alone and the test for wrong ones agree', async (type) => {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'reader-'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  const file = path.join(dir, 'texts.csv');
  await fs.writeFile(file, ['v,w', ...TEXTS.map((text) => `${text},x`), ''].join('\n'));
  const texts = readCsv([file], ['VARCHAR', 'VARCHAR'], DEFAULT_DIALECT);
  await connection.run(`CREATE TABLE texts AS SELECT row_number() OVER () - 1 AS i, c0 FROM ${texts.text}`);
  const all = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson().flat();
  const field = fieldOf(type);
  const text = textColumn(field, sql`c0`);
  const wrong = await all(`SELECT ${text.wrong.text} FROM texts ORDER BY i`);
  const values = await all(`SELECT ${text.value.text} FROM texts WHERE NOT (${text.wrong.text}) ORDER BY i`);
  const taken: string[] = [];
  for (const [i, written] of TEXTS.entries()) {
    const refused = () => 'refused';
    const exact = wrong[i] ? 'refused' : values[taken.length];
    if (!wrong[i]) taken.push(written);
    else expect(await all(`SELECT ${text.value.text} FROM texts WHERE i = ${i}`).catch(refused)).toBe('refused');
    if (readerType(field, DEFAULT_DIALECT) === 'VARCHAR') continue;
    await fs.writeFile(file, `v,w\n${written},x\n`);
    const read = readCsv([file], [readerType(field, DEFAULT_DIALECT), 'VARCHAR'], DEFAULT_DIALECT);
    const value = await all(`SELECT ${readColumn(field, sql`c0`, DEFAULT_DIALECT).value.text} FROM ${read.text}`).catch(
      refused,
    );
    // What is refused at first is read as a text then.
    if (value !== 'refused') expect([written, ...value]).toEqual([written, exact]);
  }
  // Neither all nor none of them is a value.
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.length).toBeLessThan(TEXTS.length);
  expect(taken).toMatchSnapshot();
  connection.closeSync();
  instance.closeSync();
  await fs.rm(dir, { recursive: true });
});
