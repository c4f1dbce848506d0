import type { CatalogFacts } from './facts.ts';

/** The version of PostgreSQL whose catalog this one follows. */
export const SERVER_VERSION = '16.4';

/** Settings that every session has, whatever it set. */
const DEFAULTS: Readonly<Record<string, string>> = {
  application_name: '',
  block_size: '8192',
  bytea_output: 'hex',
  client_encoding: 'UTF8',
  client_min_messages: 'notice',
  DateStyle: 'ISO, MDY',
  default_transaction_isolation: 'repeatable read',
  default_transaction_read_only: 'off',
  extra_float_digits: '1',
  idle_in_transaction_session_timeout: '0',
  integer_datetimes: 'on',
  IntervalStyle: 'postgres',
  is_superuser: 'off',
  lc_collate: 'C',
  lc_ctype: 'C',
  lc_messages: 'C',
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  lock_timeout: '0',
  max_identifier_length: '128',
  max_index_keys: '32',
  row_security: 'on',
  server_encoding: 'UTF8',
  server_version: SERVER_VERSION,
  server_version_num: '160004',
  standard_conforming_strings: 'on',
  statement_timeout: '0',
  TimeZone: 'UTC',
  transaction_deferrable: 'off',
  transaction_isolation: 'repeatable read',
  transaction_read_only: 'off',
};

/** The settings of a session by name, with those that it set. */
export function settingsOf({
  session,
}: Pick<CatalogFacts, 'session'>): readonly (readonly [name: string, value: string])[] {
  const named = new Map<string, readonly [string, string]>();
  const add = (name: string, value: string) => {
    const known = named.get(name.toLowerCase());
    named.set(name.toLowerCase(), [known?.[0] ?? name, value]);
  };
  for (const [name, value] of Object.entries(DEFAULTS)) add(name, value);
  add('session_authorization', session.caller.name);
  add('role', 'none');
  add('search_path', session.searchPath.map(quoteName).join(', '));
  for (const [name, value] of session.settings) add(name, value);
  return [...named.values()].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
}

/** A name as PostgreSQL writes it in SQL. */
export const quoteName = (name: string): string =>
  /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
