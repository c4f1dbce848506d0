import path from 'node:path';
import {
  type DataFileRecord,
  dataFileRecord,
  type IcebergField,
  joinLocation,
  removeFiles,
  UnsupportedTableError,
  valueOfText,
  type WriteLayout,
} from '@svc/iceberg';
import type { EngineChild } from '../sandbox/child-process.ts';
import type { CopiedFile } from '../sandbox/child-protocol.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { identifier, integer, joined, literal, type Sql, sql } from '../sql-text.ts';
import { type DataFileForm, dataFileOptions } from './output-sql.ts';
import { orderSql, transformSql } from './transform-sql.ts';

/** Whether rows are written in order: with several threads, the engine mixes the row groups of its files. */
export const isOrdered = (layout: WriteLayout | undefined): boolean => (layout?.sort.length ?? 0) > 0;

/** A written file and its partition (texts of `transformSql`, empty for an unpartitioned table). */
export type PartitionedFile = CopiedFile & { readonly partition: readonly (string | null)[] };

/** More partitions in one write indicate a mistake in the partitioning, and each costs a file and a statement. */
const MAX_PARTITIONS = 10_000;

/**
 * Writes the rows of `query`, whose columns are the fields, as data files below a folder. A partitioned table's rows
 * are sorted once into a separate file, in which each partition is a contiguous range of rows.
 *
 * @throws UnsupportedTableError for too many partitions
 */
export async function copyDataFiles(
  child: EngineChild,
  query: Sql,
  fields: readonly IcebergField[],
  dir: string,
  { layout, ...form }: DataFileForm & { readonly layout?: WriteLayout | undefined },
): Promise<PartitionedFile[]> {
  const options = dataFileOptions(fields, form);
  const order = layout ? layout.sort.map(orderOf) : [];
  if (!layout || layout.partition.length === 0) {
    const sorted = order.length > 0 ? sql`SELECT * FROM (\n${query}\n) ORDER BY ${joined(order)}` : query;
    const copied = await copy(child, sorted, path.join(dir, 'data'), options);
    return copied.map((file) => ({ ...file, partition: [] }));
  }
  const sorted = path.join(dir, 'sorted.parquet');
  const partitionColumns = layout.partition.map((_, i) => identifier(`${markOf(fields)}${i}`));
  // In hexadecimal digits, so that a statement can contain any value regardless of its characters.
  const texts = layout.partition.map(({ transform, source }, i) => {
    return sql`hex(encode(${transformSql(transform, source)})) AS ${partitionColumns[i]!}`;
  });
  const partitionedQuery = sql`SELECT *, ${joined(texts)} FROM (\n${query}\n) ORDER BY ${joined([...partitionColumns, ...order])}`;
  await copy(child, partitionedQuery, sorted, sql`FORMAT parquet, RETURN_STATS`);
  const rows = sql`read_parquet([${literal(sorted)}], hive_partitioning = false)`;
  const partitionsSql = sql`SELECT DISTINCT ${joined(partitionColumns)} FROM ${rows} ORDER BY ALL LIMIT ${integer(MAX_PARTITIONS + 1)}`;
  const partitions = await child.send({ op: 'texts', sql: partitionsSql.text });
  if (partitions.length > MAX_PARTITIONS) {
    throw new UnsupportedTableError(
      `The rows belong to more than ${MAX_PARTITIONS} partitions of the table. Write them in several statements.`,
    );
  }
  const columns = joined(fields.map((f) => identifier(f.name)));
  const files: PartitionedFile[] = [];
  for (const [i, partition] of partitions.entries()) {
    const own = partitionColumns.map((column, m) =>
      partition[m] === null ? sql`${column} IS NULL` : sql`${column} = ${literal(partition[m]!)}`,
    );
    const part = sql`SELECT ${columns} FROM ${rows} WHERE ${joined(own, ' AND ')}`;
    const copied = await copy(child, part, path.join(dir, `part-${i}`), options);
    const values = partition.map((hex) => (hex === null ? null : Buffer.from(hex, 'hex').toString()));
    files.push(...copied.map((file) => ({ ...file, partition: values })));
  }
  return files;
}

function copy(child: EngineChild, query: Sql, target: string, options: Sql): Promise<CopiedFile[]> {
  const statement = sql`COPY (\n${query}\n) TO ${literal(target)} (${options})`;
  return child.send({ op: 'copy', sql: statement.text }) as Promise<CopiedFile[]>;
}

/** A name prefix that no column has. */
function markOf(fields: readonly IcebergField[]): string {
  let column = 'svc:partition:';
  while (fields.some((f) => f.name.toLowerCase().startsWith(column))) column = `_${column}`;
  return column;
}

function orderOf({ transform, source, descending, nullsFirst }: WriteLayout['sort'][number]): Sql {
  const nulls = nullsFirst ? sql`NULLS FIRST` : sql`NULLS LAST`;
  return sql`${orderSql(transform, source)} ${descending ? sql`DESC` : sql`ASC`} ${nulls}`;
}

/** Moves written files to their final location in the table. If a file can't be moved, all are removed. */
export async function adoptDataFiles(
  sandbox: Sandbox,
  copied: readonly PartitionedFile[],
  fields: readonly IcebergField[],
  tableLocation: string,
  layout?: WriteLayout,
): Promise<DataFileRecord[]> {
  const { store } = sandbox.options;
  const records: DataFileRecord[] = [];
  try {
    for (const file of copied.filter((f) => f.rows > 0)) {
      const location = joinLocation(`${tableLocation}/data`, path.basename(file.path));
      const { size } = await store.moveInto(file.path, location);
      const written = { location, rows: file.rows, bytes: size, columns: file.columns };
      records.push(dataFileRecord(written, { type: 'struct', fields }, layout && filePartitionOf(layout, file)));
    }
    return records;
  } catch (error) {
    await removeFiles(
      store,
      records.map((record) => record.file_path),
    );
    throw error;
  }
}

function filePartitionOf(layout: WriteLayout, file: PartitionedFile) {
  const values = layout.partition.map((p, i) => [p.name, valueOfText(p.type, file.partition[i] ?? null)] as const);
  return { specId: layout.specId, sortOrderId: layout.sortOrderId, partition: Object.fromEntries(values) };
}
