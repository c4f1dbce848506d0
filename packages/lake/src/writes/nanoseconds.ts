import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetRead,
  parquetReadObjects,
  type SchemaElement,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

/** A timestamp with sub-microsecond digits: `row` counts from 1, `value` has all digits. */
export type TruncationScan = { readonly column: string; readonly row: number; readonly value: string };

/** Marks a value in a row that would be truncated. */
class TimestampCut {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/**
 * The first timestamp of a Parquet file that loses digits in microseconds, or null. The engine can't find it: its
 * reader truncates nanoseconds with a time zone, and INT96, before a statement sees them.
 *
 * @throws if the file, or an encoding in it, can't be read
 */
export async function findTruncatedTimestamp(path: string): Promise<TruncationScan | null> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const columns = columnsInNanoseconds(metadata.schema);
  if (columns.length === 0) return null;
  const options = { file, metadata, columns, compressors };
  let rowEnd = 0;
  for (const group of metadata.row_groups) {
    const rowStart = rowEnd;
    rowEnd += Number(group.num_rows);
    let foundAny = false;
    const check = (nanos: bigint) => {
      foundAny ||= isCut(nanos);
    };
    await parquetRead({ ...options, rowStart, rowEnd, parsers: { timestampFromNanoseconds: check } });
    if (!foundAny) continue;
    // A dictionary may contain a value that no row uses, so the rows decide.
    const mark = (nanos: bigint) => (isCut(nanos) ? new TimestampCut(nanos) : null);
    const rows = await parquetReadObjects({
      ...options,
      rowStart,
      rowEnd,
      parsers: { timestampFromNanoseconds: mark },
    });
    for (const [i, row] of rows.entries()) {
      for (const column of columns) {
        const truncated = truncatedIn(row[column]);
        if (truncated !== null) return { column, row: rowStart + i + 1, value: timestampText(truncated.nanos) };
      }
    }
  }
  return null;
}

const isCut = (nanos: bigint): boolean => nanos % 1000n !== 0n;

/** Names of the top-level columns that contain a nanosecond leaf. */
function columnsInNanoseconds(schema: readonly SchemaElement[]): string[] {
  const columns: string[] = [];
  // The schema lists its tree depth first; the root comes before the columns.
  let at = 1;
  const walk = (): boolean => {
    const { num_children = 0, type, logical_type } = schema[at++]!;
    let found = type === 'INT96' || (logical_type?.type === 'TIMESTAMP' && logical_type.unit === 'NANOS');
    for (let i = 0; i < num_children; i++) if (walk()) found = true;
    return found;
  };
  while (at < schema.length) {
    const { name } = schema[at]!;
    if (walk()) columns.push(name);
  }
  return columns;
}

function truncatedIn(value: unknown): TimestampCut | null {
  if (value instanceof TimestampCut) return value;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return null;
  for (const inner of Object.values(value)) {
    const truncated = truncatedIn(inner);
    if (truncated !== null) return truncated;
  }
  return null;
}

const BILLION = 1_000_000_000n;

/** `2020-03-01 00:00:00.123456789`, in UTC. */
function timestampText(nanos: bigint): string {
  const fraction = ((nanos % BILLION) + BILLION) % BILLION;
  const seconds = new Date(Number((nanos - fraction) / 1_000_000n)).toISOString();
  return `${seconds.slice(0, -5).replace('T', ' ')}.${String(fraction).padStart(9, '0')}`;
}
