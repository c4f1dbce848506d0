import { UnsupportedTableError } from '@svc/iceberg';

/** A column of a Parquet file according to its footer; `id` is the Iceberg field id, or null if it has none. */
export type FileColumn = {
  readonly name: string;
  readonly id: number | null;
} & (
  | { readonly kind: 'leaf'; readonly type: string }
  | { readonly kind: 'struct'; readonly children: readonly FileColumn[] }
  | { readonly kind: 'list'; readonly element: FileColumn }
  | { readonly kind: 'map'; readonly key: FileColumn; readonly value: FileColumn }
);

/** The columns of a file. Files with the same `key` have the same columns. */
export type FileLayout = { readonly key: string; readonly columns: readonly FileColumn[] };

type Element = {
  readonly name: string;
  readonly id: number | null;
  readonly children: number;
  readonly repeated: boolean;
  readonly kind: string;
  readonly type: string | null;
};

function elementOf(row: readonly (string | null)[]): Element {
  const [name, id, children, repetition, converted, logical, type] = row;
  return {
    name: name ?? '',
    id: id == null || !/^-?\d{1,10}$/.test(id) ? null : Number(id),
    children: Number(children ?? 0),
    repeated: repetition === 'REPEATED',
    kind: `${converted ?? ''} ${logical ?? ''}`.toUpperCase(),
    type: type ?? null,
  };
}

/** The layouts of files by name, from the rows of `readLayoutRows`, in which a missing value is null. */
export function readLayouts(rows: readonly (readonly (string | null)[])[]): Map<string, FileLayout> {
  const byFile = new Map<string, Element[]>();
  for (const [file, ...rest] of rows) {
    const columns = byFile.get(file!) ?? [];
    byFile.set(file!, columns);
    columns.push(elementOf(rest));
  }
  return new Map([...byFile].map(([file, elements]) => [file, layoutOf(elements)]));
}

/** Limits on the number of columns and nested elements, and on their depth. */
const MAX_ELEMENTS = 100_000;
const MAX_DEPTH = 64;

const damagedFileError = () =>
  new UnsupportedTableError("A data file of the table is damaged: its columns can't be read.");

function layoutOf(elements: readonly Element[]): FileLayout {
  if (elements.length > MAX_ELEMENTS)
    throw new UnsupportedTableError(`A data file of the table has more than ${MAX_ELEMENTS} columns.`);
  let at = 1;
  let depth = 0;
  const next = (): FileColumn => {
    const element = elements[at++];
    if (depth > MAX_DEPTH)
      throw new UnsupportedTableError(`A data file of the table has columns nested more than ${MAX_DEPTH} deep.`);
    if (!element || !(element.children >= 0 && element.children <= elements.length)) throw damagedFileError();
    const { name, id } = element;
    if (element.children === 0) {
      if (element.type === null)
        throw new UnsupportedTableError(`The column "${name}" of a data file has an unknown type.`);
      return repeatedAsList(element, { name, id, kind: 'leaf', type: element.type });
    }
    depth += 1;
    const children = Array.from({ length: element.children }, next);
    depth -= 1;
    return repeatedAsList(element, groupOf(element, children));
  };
  const count = elements[0]?.children ?? 0;
  if (!(count >= 0 && count <= elements.length)) throw damagedFileError();
  const columns = Array.from({ length: count }, next);
  return { key: JSON.stringify(columns), columns };
}

/**
 * Interprets a group: the annotations of lists and maps, and the legacy forms of old writers (Parquet, "Nested types").
 */
function groupOf(element: Element, children: readonly FileColumn[]): FileColumn {
  const { name, id } = element;
  const inner = children[0]!;
  const annotated = children.length === 1 && inner.kind === 'list' ? inner.element : null;
  if (annotated && /\bLIST/.test(element.kind)) {
    // In the standard form the repeated group contains only the element; in legacy forms it is the element.
    const wrapped = annotated.kind === 'struct' && annotated.children.length === 1 && !isOldElement(element, annotated);
    return { name, id, kind: 'list', element: wrapped ? annotated.children[0]! : annotated };
  }
  if (annotated?.kind === 'struct' && annotated.children.length === 2 && /\bMAP/.test(element.kind)) {
    return { name, id, kind: 'map', key: annotated.children[0]!, value: annotated.children[1]! };
  }
  return { name, id, kind: 'struct', children };
}

const isOldElement = (list: Element, group: FileColumn): boolean =>
  group.name === 'array' || group.name === `${list.name}_tuple`;

/** A repeated column without a list annotation is a list of its own type. */
function repeatedAsList(element: Element, column: FileColumn): FileColumn {
  return element.repeated ? { name: column.name, id: null, kind: 'list', element: column } : column;
}
