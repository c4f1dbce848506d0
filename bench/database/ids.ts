/** An id that shows what it belongs to, by one hexadecimal digit. */
export const idOf = (kind: string, number: number): string =>
  `${kind.padStart(8, '0')}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** The same id in SQL; `number` is an expression. */
export const uuidSql = (kind: string, number: string): string =>
  `('${kind.padStart(8, '0')}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
