import { currentVersion, type ViewMetadata } from './metadata.ts';

/** What the service's own SQL engine is to read of a view. */
export interface ViewSql {
  readonly sql: string;
  readonly dialect: string;
  /** Where names without a namespace lie: dotted. */
  readonly namespace: string;
  /** What the engine calls this catalog, or null. */
  readonly catalog: string | null;
}

/** The dialect that the service speaks. */
export const OWN_DIALECT = 'duckdb';

/** The statement in the service's dialect, else the first there is; null where no representation is SQL. */
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
