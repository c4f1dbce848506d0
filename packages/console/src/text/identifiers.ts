/** An identifier of SQL. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The name of a table in a statement; the namespace is dotted. */
export const tableIdentifier = (namespace: string, table: string): string =>
  [...namespace.split('.'), table].map(identifier).join('.');
