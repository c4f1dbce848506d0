import { isNumeric } from './cell-text.ts';

export interface RowOrder {
  readonly column: number;
  readonly isDescending: boolean;
}

/** The order after a click on the title of a column: ascending, descending, and as the statement returned the rows. */
export function nextOrder(order: RowOrder | null, column: number): RowOrder | null {
  if (order?.column !== column) return { column, isDescending: false };
  return order.isDescending ? null : { column, isDescending: true };
}

/** The indexes of the rows in an order; NULL is last, as are values that aren't numbers among numbers. */
export function sortedIndexes(
  rows: readonly (readonly unknown[])[],
  type: string,
  { column, isDescending }: RowOrder,
): number[] {
  const keyOf = keyFor(type);
  const keys = rows.map((row) => keyOf(row[column]));
  const sign = isDescending ? -1 : 1;
  return [...rows.keys()].sort((a, b) => {
    const [first, second] = [keys[a] ?? null, keys[b] ?? null];
    if (first === null || second === null) return first === second ? 0 : first === null ? 1 : -1;
    return first === second ? 0 : first < second ? -sign : sign;
  });
}

function keyFor(type: string): (value: unknown) => number | bigint | string | null {
  const scale = /^decimal\(\d+, ?(\d+)\)/i.exec(type)?.[1];
  if (scale !== undefined) return (value) => decimalKey(value, Number(scale));
  return isNumeric(type) ? numericKey : textKey;
}

/** A decimal as a whole number of its last digits: a number doesn't have enough digits for it. */
function decimalKey(value: unknown, scale: number): bigint | null {
  const [, whole, part = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  return whole === undefined ? null : BigInt(whole + part.padEnd(scale, '0'));
}

/** Integers that a number can't hold are compared exactly. */
function numericKey(value: unknown): number | bigint | null {
  if (typeof value === 'string' && /^-?\d{16,}$/.test(value)) return BigInt(value);
  const number = value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isNaN(number) ? null : number;
}

const textKey = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
