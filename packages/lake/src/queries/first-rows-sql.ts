import { identifier, integer, joined, sql } from './sql-text.ts';

/** The statement that reads the first rows of a table. */
export function firstRowsSql({ namespace, table, limit }: { namespace: string; table: string; limit: number }): string {
  const name = [...namespace.split('.'), table].map(identifier);
  return sql`SELECT * FROM ${joined(name, '.')} LIMIT ${integer(limit)}`.text;
}
