import { type ColumnType, parseColumnType } from '../column-types/index.ts';

/** An option of compaction that lists columns. */
export type ColumnOption = 'sort_by' | 'bloom_filters';

/** The columns as the table spells them, or why the name at `index` can't be used. */
export type ChosenColumns =
  | { readonly ok: true; readonly names: string[] }
  | { readonly ok: false; readonly index: number; readonly message: string };

const NESTED = ['list', 'map', 'struct'];

/** The maximum precision of a decimal that Parquet writers store as a number; for the others the engine writes no filter. */
const FILTERED_PRECISION = 18;

/**
 * Finds the columns that an option lists. Like in statements, a name in another letter case is accepted if no column
 * has it exactly.
 */
export function chooseColumns(
  option: ColumnOption,
  names: readonly string[],
  columns: readonly { readonly name: string; readonly type: string }[],
): ChosenColumns {
  const chosen: string[] = [];
  for (const [index, name] of names.entries()) {
    const column =
      columns.find((c) => c.name === name) ?? columns.find((c) => c.name.toLowerCase() === name.toLowerCase());
    const message = column === undefined ? unknown(name) : problemOf(option, column, chosen);
    if (column === undefined || message !== null) return { ok: false, index, message: message! };
    chosen.push(column.name);
  }
  return { ok: true, names: chosen };
}

const unknown = (name: string): string => `the table has no top-level column "${name}". Name one of its columns`;

function problemOf(
  option: ColumnOption,
  { name, type }: { readonly name: string; readonly type: string },
  earlier: readonly string[],
): string | null {
  if (earlier.includes(name)) return `lists the column "${name}" twice. Remove one`;
  if (allows(option, type)) return null;
  return option === 'sort_by'
    ? `the column "${name}" has the type ${type}, which has no order. Name a column of a primitive type`
    : `the column "${name}" has the type ${type}, for which Parquet files get no bloom filter. Name a column of a primitive type other than boolean and decimals of more than ${FILTERED_PRECISION} digits`;
}

function allows(option: ColumnOption, text: string): boolean {
  const parsed = parseColumnType(text);
  if (!parsed.ok || NESTED.includes(parsed.type.kind)) return false;
  return option === 'sort_by' || canBeFiltered(parsed.type);
}

/** Whether the engine writes bloom filters for a primitive type. */
const canBeFiltered = (type: ColumnType): boolean =>
  type.kind === 'decimal' ? type.precision <= FILTERED_PRECISION : type.kind !== 'boolean';
