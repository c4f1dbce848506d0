import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningService } from './service.ts';

export const COLUMNS = [
  { name: 'id', type: 'long' },
  { name: 'name', type: 'string' },
  { name: 'value', type: 'double' },
  { name: 'day', type: 'date' },
  { name: 'amount', type: 'decimal(12,2)' },
];

/** A SELECT of so many rows with those columns. */
export const rowsSql = (rows: number): string =>
  `SELECT i AS id, 'name ' || i AS name, (hash(i) % 1000000) / 1000.0::DOUBLE AS value,
   DATE '2020-01-01' + (i % 1000)::INT AS day, (i * 1.25)::DECIMAL(12, 2) AS amount FROM range(${rows}) t(i)`;

/** Creates `<namespace>.<table>` in the environment `bench`, made where it is missing. */
export async function makeTable({ client }: RunningService, table: string): Promise<void> {
  const [namespace] = table.split('.');
  await client.environments.create('bench').catch(() => {});
  await client.namespaces.create('bench', namespace!).catch(() => {});
  await client.tables.create('bench', table, {
    kind: 'managed',
    description: null,
    columns: COLUMNS.map((column) => ({ ...column, nullable: true, description: null })),
  });
}

export async function fillTable(service: RunningService, table: string, rows: number): Promise<void> {
  await makeTable(service, table);
  await service.client.queries.run('bench', rowsSql(rows), { into: table, mode: 'append' });
}

/** Paths of the data files of the service's tables, others than those given left out. */
export function dataFiles(home: string, ...known: string[]): string[] {
  const folder = join(home, 'warehouse', 'tables');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.parquet'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !known.includes(file));
}

/** Path of the one data file of the service's tables, others than those given left out. */
export function onlyFile(home: string, ...known: string[]): string {
  const files = dataFiles(home, ...known);
  if (files.length !== 1) throw new Error(`expected one data file, found ${files.length}`);
  return files[0]!;
}
