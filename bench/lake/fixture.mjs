import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { fieldsOfColumns, joinLocation } from '@svc/iceberg';
import { Sandbox } from '@svc/lake/queries';
import { openLocalStore } from '@svc/lake/storage';

export const COLUMNS = [
  { name: 'id', type: 'long' },
  { name: 'name', type: 'string' },
  { name: 'value', type: 'double' },
  { name: 'day', type: 'date' },
  { name: 'placed', type: 'timestamp' },
  { name: 'flag', type: 'boolean' },
  { name: 'amount', type: 'decimal(12,2)' },
];
export const SELECT = `SELECT i AS id, 'name ' || i AS name, random() * 1000 AS value,
  DATE '2020-01-01' + (i % 1000)::INT AS day, TIMESTAMP '2020-01-01' + INTERVAL (i) SECOND AS placed,
  i % 2 = 0 AS flag, (i * 1.25)::DECIMAL(12, 2) AS amount FROM range($ROWS) t(i)`;

export async function openFixture(options = {}) {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'lake-bench-'));
  const store = await openLocalStore(path.join(dir, 'warehouse'));
  const limits = { memoryLimit: 2 * 1024 ** 3, timeoutMs: 600_000, threads: 2, tempLimit: 10 * 1024 ** 3 };
  const sandbox = new Sandbox({ store, tempDir: path.join(dir, 'tmp'), prefork: 1, ...limits, ...options });
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const duckdb = await instance.connect();
  const close = async () => {
    await sandbox.close();
    duckdb.closeSync();
    instance.closeSync();
    await fs.rm(dir, { recursive: true, force: true });
  };
  return { dir, store, sandbox, duckdb, close };
}

/** A managed table of so many rows, written by the peer, and its relation. */
export async function addTable({ store, duckdb }, rows) {
  const { fields } = fieldsOfColumns(COLUMNS);
  const stage = await store.openStage();
  const file = path.join(stage.dir, 'f.parquet');
  const ids = `{${fields.map((f) => `${f.name}: ${f.id}`).join(', ')}}`;
  await duckdb.run(`COPY (${SELECT.replace('$ROWS', rows)}) TO '${file}' (FORMAT parquet, FIELD_IDS ${ids})`);
  const location = joinLocation(store.root, `t${rows}`, 'data', 'f.parquet');
  await store.adopt(file, location);
  await stage.close();
  const relation = { kind: 'managed', fields, files: [{ location, rows, bytes: 0, deletes: [], sameColumns: true }] };
  return { relation, path: await store.localPath(location) };
}
