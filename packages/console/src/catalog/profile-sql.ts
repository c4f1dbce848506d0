import type { Column, Table } from '@svc/sdk/browser';
import { identifier, tableIdentifier } from '../text/identifiers.ts';

type Profiled = Pick<Column, 'name' | 'type'>;
type TableName = Pick<Table, 'namespace' | 'name'>;

/** What can be measured: the distribution of numbers and times, the frequent values of texts. */
type Kind = 'integer' | 'number' | 'time' | 'text' | 'other';

const KINDS: Readonly<Record<string, Kind>> = {
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  date: 'time',
  timestamp: 'time',
  timestamptz: 'time',
  string: 'text',
  boolean: 'text',
  uuid: 'other',
  time: 'other',
};

/** Undefined for a type that has no profile: nested and binary ones. */
function kindOf(type: string): Kind | undefined {
  const name = /^[a-z]+/.exec(type)?.[0] ?? '';
  return Object.hasOwn(KINDS, name) && !type.endsWith(']') ? KINDS[name] : undefined;
}

export const hasProfile = ({ type }: Pick<Column, 'type'>): boolean => kindOf(type) !== undefined;

/** Columns of one statement: engines limit the size of statements and results. */
const STATEMENT_COLUMNS = 40;
const BINS = 10;
const TOP_VALUES = 5;
/** Characters of a text that are compared and shown. */
const SHOWN_LENGTH = 100;

/** The columns that have a profile, statement by statement. */
export function batchesOf<C extends Profiled>(columns: readonly C[]): C[][] {
  const profiled = columns.filter(hasProfile);
  return Array.from({ length: Math.ceil(profiled.length / STATEMENT_COLUMNS) }, (_, index) =>
    profiled.slice(index * STATEMENT_COLUMNS, (index + 1) * STATEMENT_COLUMNS),
  );
}

/** A column on the axis of its distribution. A mask may have changed its type, so a value that isn't on it is null. */
const onAxis = (column: string, kind: Kind): string =>
  kind === 'time' ? `epoch(TRY_CAST(${column} AS TIMESTAMP))` : `TRY_CAST(${column} AS DOUBLE)`;

const asText = (column: string): string => `left(CAST(${column} AS VARCHAR), ${SHOWN_LENGTH})`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function statement(table: TableName, expressions: readonly string[]): string {
  const { namespace, name } = table;
  return `SELECT\n  ${expressions.join(',\n  ')}\nFROM ${tableIdentifier(namespace, name)}`;
}

const EXTREMES = ['min', 'max'] as const;

/** Per column as many expressions as `readMeasures` reads. */
function measures({ name, type }: Profiled): string[] {
  const column = identifier(name);
  const kind = kindOf(type);
  const axis = onAxis(column, kind ?? 'other');
  const hasAxis = kind === 'integer' || kind === 'number' || kind === 'time';
  return [
    `count(*) - count(${column})`,
    `approx_count_distinct(${column})`,
    ...EXTREMES.map((extreme) =>
      kind === 'text' ? asText(`${extreme}(${column})`) : `CAST(${extreme}(${column}) AS VARCHAR)`,
    ),
    ...EXTREMES.map((extreme) => (hasAxis ? `${extreme}(${axis}) FILTER (WHERE isfinite(${axis}))` : 'NULL')),
    kind === 'text' ? `approx_top_k(${asText(column)}, ${TOP_VALUES})` : 'NULL',
  ];
}

/** The statement that counts nulls and distinct values, and finds the extremes and the frequent values. */
export const measuresSql = (table: TableName, columns: readonly Profiled[]): string =>
  statement(table, ['count(*)', ...columns.flatMap(measures)]);

export interface Measures {
  readonly name: string;
  readonly type: string;
  readonly rows: number;
  readonly nulls: number;
  /** Approximate. */
  readonly distinct: number;
  readonly min: string | null;
  readonly max: string | null;
  readonly axis: { readonly low: number; readonly high: number } | null;
  readonly frequent: readonly string[];
}

const MEASURES = 7;

/** The measures of these columns in the row that `measuresSql` returns. */
export function readMeasures(columns: readonly Profiled[], [rows, ...values]: readonly unknown[]): Measures[] {
  return columns.map(({ name, type }, index) => {
    const [nulls, distinct, min, max, low, high, frequent] = values.slice(index * MEASURES, (index + 1) * MEASURES);
    return {
      name,
      type,
      rows: Number(rows),
      nulls: Number(nulls),
      // The estimate can be above what is possible.
      distinct: Math.min(Number(distinct), Number(rows) - Number(nulls)),
      min: textOf(min),
      max: textOf(max),
      axis: low === null || high === null ? null : { low: Number(low), high: Number(high) },
      frequent: Array.isArray(frequent) ? frequent.filter((value) => typeof value === 'string') : [],
    };
  });
}

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

/** The ranges of a distribution, of equal width; the last one includes its end. */
export function edgesOf({ type, axis }: Pick<Measures, 'type' | 'axis'>): number[] {
  if (axis === null) return [];
  const { low, high } = axis;
  const steps = high - low;
  if (!(steps > 0) || !Number.isFinite(steps)) return [];
  // A bar per value, if there are few.
  const isDiscrete = kindOf(type) === 'integer' && steps < BINS;
  const bins = isDiscrete ? steps + 1 : BINS;
  const width = isDiscrete ? 1 : steps / BINS;
  return Array.from({ length: bins + 1 }, (_, index) => (index === BINS ? high : low + index * width));
}

/** Per column as many expressions as `readCounts` reads. */
function counts(measured: Measures): string[] {
  const column = identifier(measured.name);
  const axis = onAxis(column, kindOf(measured.type) ?? 'other');
  const edges = edgesOf(measured);
  return [
    ...edges.slice(1).map((end, index) => {
      const upper = index === edges.length - 2 ? '<=' : '<';
      return `count(*) FILTER (WHERE ${axis} >= ${edges[index]} AND ${axis} ${upper} ${end})`;
    }),
    ...measured.frequent.map((value) => `count(*) FILTER (WHERE ${asText(column)} = ${literal(value)})`),
  ];
}

/** The statement that counts the rows in each range and of each frequent value; null if there is nothing to count. */
export function countsSql(table: TableName, measured: readonly Measures[]): string | null {
  const expressions = measured.flatMap(counts);
  return expressions.length === 0 ? null : statement(table, expressions);
}

export interface ColumnProfile extends Measures {
  /** Rows in each range between two edges. */
  readonly bars: readonly number[];
  /** The frequent values with their numbers of rows, most frequent first. */
  readonly top: readonly { readonly value: string; readonly rows: number }[];
}

/** The profiles of these columns with the row that `countsSql` returns. */
export function readCounts(measured: readonly Measures[], row: readonly unknown[]): ColumnProfile[] {
  let at = 0;
  const next = () => Number(row[at++] ?? 0);
  return measured.map((column) => ({
    ...column,
    bars: edgesOf(column).slice(1).map(next),
    top: column.frequent.map((value) => ({ value, rows: next() })).sort((a, b) => b.rows - a.rows),
  }));
}
