import { literal, type Sql } from '../sql-text.ts';

/** A value as a literal of JSON, without NUL, which a text in a statement can't contain. */
export const jsonLiteral = (value: unknown): Sql =>
  literal(JSON.stringify(value, (_key, of: unknown) => (typeof of === 'string' ? of.replaceAll('\0', '') : of)));
