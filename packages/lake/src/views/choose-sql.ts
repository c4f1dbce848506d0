import { currentVersion, type ViewMetadata } from './metadata.ts';

/** The part of a view that the service's own SQL engine reads. */
export interface ViewSql {
  readonly sql: string;
  readonly dialect: string;
  /** The default namespace for unqualified names, dotted. */
  readonly namespace: string;
  /** The engine's name for this catalog, or null. */
  readonly catalog: string | null;
}

/** The service's own dialect. */
export const OWN_DIALECT = 'duckdb';

/** The statement in the service's dialect, otherwise the first one; null if no representation is SQL. */
export function chooseViewSql(metadata: ViewMetadata): ViewSql | null {
  const version = currentVersion(metadata);
  const statements = version.representations.filter(({ type }) => type.toLowerCase() === 'sql');
  const own = statements.find(({ dialect }) => dialect.toLowerCase() === OWN_DIALECT) ?? statements[0];
  if (own === undefined) return null;
  return {
    sql: own.sql,
    dialect: own.dialect,
    namespace: version['default-namespace'].join('.'),
    catalog: version['default-catalog'] ?? null,
  };
}
