import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parseColumnType } from '@svc/core/tables';
import { fieldsOfColumns } from '../tables/index.ts';
import { readCsv } from './file-sources.ts';
import { readerType } from './value-sql.ts';

const TEXTS =
  `1 1.5 1.0 1e3 +1 -0 0x1F 1_000 "1,000" 1. .5 NaN nan inf -Infinity 1e400 1e-400 "" true T yes f no on 0 -1
  1970-01-01 1970-1-1 70-01-01 01/02/2020 2020-01-01T00:00:00Z 2020-01-01T00:00:00+02 2020-02-30 2020-W01-1 10000-01-01
  12:00 12:00:00 24:00:00 12:00:00.1234567 epoch infinity today now 123456789012345678901234567890 9223372036854775808
  0.123456789 123.455 0.005 -0.005 99999999999.99 1234567890.125 550e8400-e29b-41d4-a716-446655440000
  550E8400E29B41D4A716446655440000 abc ２ ٣ 5e-1 0b1 1e --1`
    .split(/\s+/)
    .concat(' 1', '1 ', '1\u00a0', '2020-01-01 00:00:00', '2020-01-01 10:00:00.1234567', '2020-01-01 (BC)', '" "');

const KINDS = ['boolean', 'float', 'double', 'decimal(12,2)', 'decimal(38,9)', 'date', 'time', 'timestamp', 'uuid'];
const CAST_AFTER = ['int', 'long', 'timestamptz', 'string', 'binary', 'list<int>'];

const fieldOf = (type: string) => fieldsOfColumns([{ name: 'v', type }]).fields[0]!;

test.each(KINDS)('%s: the reader takes a text for what CAST takes it for', async (kind) => {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'reader-'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  const file = path.join(dir, 'one.csv');
  const type = readerType(fieldOf(kind));
  const first = async (sql: string) => {
    const read = connection.runAndReadAll(sql);
    return read.then(
      (reader) => String(reader.getRowsJson()[0]![0]),
      () => 'refused',
    );
  };
  const taken: [string, string][] = [];
  for (const text of TEXTS) {
    await fs.writeFile(file, `v,w\n${text},x\n`);
    const cast = await first(`SELECT CAST(c0 AS ${type}) FROM ${readCsv(file, ['VARCHAR', 'VARCHAR'])}`);
    expect([text, await first(`SELECT c0 FROM ${readCsv(file, [type, 'VARCHAR'])}`)]).toEqual([text, cast]);
    if (cast !== 'refused') taken.push([text, cast]);
  }
  // Neither all nor none of them is a value.
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.length).toBeLessThan(TEXTS.length);
  connection.closeSync();
  instance.closeSync();
  await fs.rm(dir, { recursive: true });
});

test.each(CAST_AFTER)('%s is read as text', (kind) => {
  expect(parseColumnType(kind).ok).toBe(true);
  expect(readerType(fieldOf(kind))).toBe('VARCHAR');
});
