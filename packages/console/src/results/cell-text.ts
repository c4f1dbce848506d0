import { visible } from '../text/visible.ts';

/** More of a value isn't shown in a cell. */
const MAX_LENGTH = 2000;

/** A value of a result as one line; null for SQL's NULL. */
export function cellText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return visible(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
}

const NUMERIC = /^(u?(tiny|small|big|huge)?int(eger)?\b|u?int\d|long\b|double\b|float|real\b|decimal|numeric)/i;

/** Numbers are aligned at their end. */
export const isNumeric = (type: string): boolean => NUMERIC.test(type);

/** Width of a column in characters, from its name and its first values. */
export function columnWidth(name: string, values: readonly unknown[]): number {
  const lengths = values.map((value) => cellText(value)?.length ?? 4);
  return Math.min(44, Math.max(8, name.length + 2, ...lengths));
}
