import { type Token, tryTokenize } from '@svc/core/sql-tokens';

/** Functions and types of the session and the catalog that don't start with `pg_`. */
const TERMS = new Set(
  `version current_schema current_schemas current_database current_catalog current_user session_user current_role user
   current_setting set_config inet_client_addr inet_client_port inet_server_addr inet_server_port txid_current
   txid_current_if_assigned format_type obj_description col_description shobj_description has_table_privilege
   has_schema_privilege has_database_privilege has_column_privilege has_any_column_privilege has_function_privilege
   has_sequence_privilege has_type_privilege to_regclass to_regtype to_regproc to_regnamespace to_regrole regclass
   regtype regproc regnamespace regrole regprocedure row_security_active getdatabaseencoding information_schema
   _pg_expandarray`.split(/\s+/),
);

const STARTS = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE', '(']);

/**
 * Whether a statement may read the catalog, by its names alone, so that ordinary statements cost nothing more. Whether it does is
 * known when it is parsed.
 */
export function mayReadCatalog(sql: string): boolean {
  const tokens = tryTokenize(sql)?.tokens ?? [];
  return STARTS.has(tokens[0]?.upper ?? '') && tokens.some(isCatalogTerm);
}

/** Whether a statement reads no relation and calls only functions of the catalog, such as `SELECT pg_advisory_unlock_all()`. */
export function callsOnlyCatalog(sql: string): boolean {
  const tokens = tryTokenize(sql)?.tokens ?? [];
  const called = tokens.filter((_, i) => tokens[i + 1]?.text === '(' && isName(tokens[i]!));
  return called.length > 0 && called.every(isCatalogTerm) && !tokens.some(({ upper }) => upper === 'FROM');
}

const isName = ({ kind }: Token): boolean => kind === 'word' || kind === 'quoted';

function isCatalogTerm({ kind, text }: Token): boolean {
  if (kind !== 'word' && kind !== 'quoted') return false;
  const name = (kind === 'quoted' ? text.slice(1, -1) : text).toLowerCase();
  return name.startsWith('pg_') || TERMS.has(name);
}
