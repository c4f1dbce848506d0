import { parseColumnType } from '@svc/core/column-types';
import { duckdbType } from '../../tables/duckdb-types.ts';
import { identifier, joined, literal, sql } from '../sql-text.ts';
import { jsonLiteral } from './json-literal.ts';

/** The tables of `information_schema` that queries can read. */
export const INFORMATION_TABLES = ['schemata', 'tables', 'columns'] as const;
export type InformationTable = (typeof INFORMATION_TABLES)[number];

/** What an environment contains, as far as the reader may see it. */
export interface VisibleObjects {
  readonly environment: string;
  readonly namespaces: readonly string[];
  readonly tables: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly kind: string;
    readonly description: string | null;
    readonly columns: readonly {
      readonly name: string;
      readonly type: string;
      readonly nullable: boolean;
      readonly description: string | null;
    }[];
  }[];
}

type Row = Readonly<Record<string, string | number | null>>;

const TYPES: Readonly<Record<string, string>> = {
  managed: 'BASE TABLE',
  external: 'BASE TABLE',
  view: 'VIEW',
  artifact: 'ARTIFACT',
};

/** The SELECT of one of these tables. */
export function informationSql(table: InformationTable, visible: VisibleObjects): string {
  const { names, rows } = CONTENTS[table](visible);
  const list = names.map((name) => {
    const value = sql`r->>${literal(`$.${name}`)}`;
    return sql`${name === 'ordinal_position' ? sql`CAST(${value} AS INTEGER)` : value} AS ${identifier(name)}`;
  });
  return sql`SELECT ${joined(list)} FROM (SELECT unnest(CAST(${jsonLiteral(rows)} AS JSON[])) AS r)`.text;
}

const CONTENTS: Readonly<
  Record<InformationTable, (of: VisibleObjects) => { names: readonly string[]; rows: readonly Row[] }>
> = {
  schemata: ({ environment, namespaces }) => ({
    names: ['catalog_name', 'schema_name'],
    rows: namespaces.map((namespace) => ({ catalog_name: environment, schema_name: namespace })),
  }),
  tables: ({ environment, tables }) => ({
    names: ['table_catalog', 'table_schema', 'table_name', 'table_type', 'table_comment'],
    rows: tables.map(({ namespace, name, kind, description }) => ({
      ...{ table_catalog: environment, table_schema: namespace, table_name: name },
      ...{ table_type: TYPES[kind] ?? kind, table_comment: description },
    })),
  }),
  columns: ({ environment, tables }) => ({
    names: [
      ...['table_catalog', 'table_schema', 'table_name', 'column_name', 'ordinal_position'],
      ...['is_nullable', 'data_type', 'column_comment'],
    ],
    rows: tables.flatMap(({ namespace, name, columns }) =>
      columns.map((column, i) => ({
        ...{ table_catalog: environment, table_schema: namespace, table_name: name, column_name: column.name },
        ...{ ordinal_position: i + 1, is_nullable: column.nullable ? 'YES' : 'NO' },
        ...{ data_type: sqlType(column.type), column_comment: column.description },
      })),
    ),
  }),
};

function sqlType(type: string): string {
  const parsed = parseColumnType(type);
  return parsed.ok ? duckdbType(parsed.type) : type;
}
