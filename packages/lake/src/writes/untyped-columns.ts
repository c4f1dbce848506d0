import { type ColumnType, formatColumnType, parseColumnType } from '@svc/core/tables';
import type { ResultColumn } from '../queries/results/result-columns.ts';
import type { EngineChild } from '../queries/sandbox/child-process.ts';
import { literal, sql } from '../queries/sql-text.ts';

/**
 * The parts of a type that a file leaves open, because they have no value: the whole type, or by position its inner types (element;
 * key and value; fields).
 */
export type Untyped = true | { readonly inner: ReadonlyMap<number, Untyped> };

/** The inner types of a type, by position. */
function innerTypes(type: ColumnType): readonly ColumnType[] {
  switch (type.kind) {
    case 'list':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    case 'struct':
      return type.fields.map((field) => field.type);
    default:
      return [];
  }
}

/** The type with `expected` in its open parts, as far as it has their form, and text in the others. */
export function filledType(type: ColumnType, untyped: Untyped | undefined, expected: ColumnType | null): ColumnType {
  if (untyped === undefined) return type;
  if (untyped === true) return expected ?? { kind: 'string' };
  const wanted = expected?.kind === type.kind ? innerTypes(expected) : [];
  const filled = innerTypes(type).map((inner, i) => filledType(inner, untyped.inner.get(i), wanted[i] ?? null));
  switch (type.kind) {
    case 'list':
      return { ...type, element: filled[0]! };
    case 'map':
      return { ...type, key: filled[0]!, value: filled[1]! };
    case 'struct':
      return { ...type, fields: type.fields.map((field, i) => ({ ...field, type: filled[i]! })) };
    default:
      return type;
  }
}

/** The same for the texts of types. A type that can't be parsed stays as it is. */
export function filledTypeText(type: string, untyped: Untyped | undefined, expected: string | null): string {
  const parsed = parseColumnType(type);
  if (untyped === undefined || !parsed.ok) return type;
  const wanted = expected === null ? null : parseColumnType(expected);
  return formatColumnType(filledType(parsed.type, untyped, wanted?.ok ? wanted.type : null));
}

/** A node of the schema of a Parquet file. */
type Node = { readonly children: readonly Node[]; readonly isNull: boolean };

/**
 * The columns whose types are open, by position, as pandas, polars and Arrow write columns, elements and fields without a value.
 * The engine's reader calls them integers.
 */
export async function untypedColumns(
  child: EngineChild,
  file: { readonly path: string },
  columns: readonly ResultColumn[],
): Promise<ReadonlyMap<number, Untyped>> {
  const found = new Map<number, Untyped>();
  if (!columns.some(({ type }) => /\bint\b/.test(type))) return found;
  const elements = sql`SELECT num_children, logical_type FROM parquet_schema(${literal(file.path)}) ORDER BY column_id`;
  const lines = await child.send({ op: 'texts', sql: elements.text });
  // The schema lists its tree depth first; the root comes before the columns.
  let at = 0;
  const read = (): Node => {
    const [count, logicalType] = lines[at++] ?? [];
    const children: Node[] = [];
    // A damaged file can claim any number of children.
    for (let i = 0; i < Number(count ?? 0) && at < lines.length; i++) children.push(read());
    return { children, isNull: logicalType === 'NullType()' };
  };
  for (const [position, node] of read().children.entries()) {
    const parsed = parseColumnType(columns[position]?.type ?? '');
    const untyped = parsed.ok ? untypedPart(node, parsed.type) : undefined;
    if (untyped !== undefined) found.set(position, untyped);
  }
  return found;
}

function untypedPart(node: Node, type: ColumnType): Untyped | undefined {
  if (node.isNull) return true;
  const types = innerTypes(type);
  const nodes = innerNodes(node, type);
  if (nodes.length !== types.length) return undefined;
  const inner = new Map<number, Untyped>();
  for (const [i, each] of nodes.entries()) {
    const untyped = untypedPart(each, types[i]!);
    if (untyped !== undefined) inner.set(i, untyped);
  }
  return inner.size === 0 ? undefined : { inner };
}

/** Lists and maps have a repeated group between them and their elements. */
function innerNodes(node: Node, { kind }: ColumnType): readonly Node[] {
  return kind === 'list' || kind === 'map' ? (node.children[0]?.children ?? []) : node.children;
}
