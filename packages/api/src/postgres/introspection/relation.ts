import type { GivenRows, GivenType } from '@svc/lake/queries';
import type { CatalogFacts } from './facts.ts';

/** A row of a relation: columns that it doesn't name have their default value. */
export type CatalogRow = Readonly<Record<string, unknown>>;

/** A relation of the catalog, as rows of what the caller may see. */
export type CatalogRelation = (facts: CatalogFacts) => GivenRows;

/** PostgreSQL's types of the catalog's columns, as the engine stores them. */
const TYPES: Readonly<Record<string, GivenType>> = {
  bool: 'BOOLEAN',
  int2: 'SMALLINT',
  int4: 'INTEGER',
  int8: 'BIGINT',
  oid: 'BIGINT',
  xid: 'BIGINT',
  float4: 'FLOAT',
  name: 'VARCHAR',
  text: 'VARCHAR',
  char: 'VARCHAR',
  timestamptz: 'TIMESTAMP WITH TIME ZONE',
  'int2[]': 'SMALLINT[]',
  'oid[]': 'BIGINT[]',
  'text[]': 'VARCHAR[]',
};

/**
 * @param columns names and types in order, such as `oid:oid relname:name`
 * @param defaults the values of columns that a row doesn't name; other such columns are null
 */
export function relation(
  columns: string,
  rows: (facts: CatalogFacts) => readonly CatalogRow[] = () => [],
  defaults: CatalogRow = {},
): CatalogRelation {
  const typed = columns
    .trim()
    .split(/\s+/)
    .map((column) => column.split(':') as [name: string, type: string]);
  return (facts) => {
    const found = rows(facts);
    const named = new Set(found.flatMap((row) => Object.keys(row)));
    return {
      count: found.length,
      columns: typed.map(([name, type]) => {
        const each = defaults[name] ?? null;
        const values = named.has(name) ? found.map((row) => (name in row ? row[name] : each)) : { each };
        return { name, type: TYPES[type]!, values };
      }),
    };
  };
}
