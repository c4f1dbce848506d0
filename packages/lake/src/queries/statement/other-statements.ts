import { tryTokenize } from '@svc/core/sql-tokens';

export const ONLY_QUERIES =
  'A query must be one SELECT, INSERT, UPDATE, DELETE, MERGE, TRUNCATE or CREATE TABLE … CLONE.';

const VIEWS = 'Views are assets of a project, with `kind: view`.';
const MAINTAIN = 'To maintain a table, use svc table maintain.';
const LOAD = "To load a file, use svc table load; to download a query's rows, use svc sql with --format and --file.";
const GRANTS = 'To change access, use svc grant create and svc grant revoke.';
const SET_ENVIRONMENT = 'Write names as namespace.table; svc sql --env selects the environment.';

/** What to do instead of statements of other systems, by their first words; the longest match counts. */
const INSTEAD: Readonly<Record<string, string>> = {
  'ALTER TABLE': 'To change columns, use svc table alter; to rename a table, svc table rename.',
  'ALTER VIEW': VIEWS,
  'ANALYZE TABLE': MAINTAIN,
  COPY: LOAD,
  'CREATE DATABASE': 'To create an environment, use svc env create.',
  'CREATE CATALOG': 'To create an environment, use svc env create.',
  'CREATE NAMESPACE': 'To create a namespace, use svc ns create.',
  'CREATE SCHEMA': 'To create a namespace, use svc ns create.',
  'CREATE TABLE':
    'To create a table, use svc table create; to write the rows of a SELECT into one, svc sql with --into.',
  'CREATE VIEW': VIEWS,
  'DROP DATABASE': 'To delete an environment, use svc env delete.',
  'DROP NAMESPACE': 'To delete a namespace, use svc ns delete.',
  'DROP SCHEMA': 'To delete a namespace, use svc ns delete.',
  'DROP TABLE': 'To drop a table, use svc table delete.',
  'DROP VIEW': 'To drop a view, use svc table delete.',
  GRANT: GRANTS,
  OPTIMIZE: MAINTAIN,
  PUT: LOAD,
  REVOKE: GRANTS,
  UNDROP: 'To restore a dropped table, use svc table undrop.',
  USE: SET_ENVIRONMENT,
  VACUUM: MAINTAIN,
};

/** Between CREATE and the kind of the object. */
const MODIFIERS = new Set(['OR', 'REPLACE', 'TEMP', 'TEMPORARY', 'TRANSIENT', 'MATERIALIZED', 'RECURSIVE', 'SECURE']);

/**
 * Why a statement of another system can't run, with what to use instead; null for every other text. None of these first words
 * starts a query.
 */
export function explainOtherStatement(text: string): string | null {
  const names = (tryTokenize(text)?.tokens ?? []).filter(({ kind }) => kind === 'word').map(({ upper }) => upper);
  const [first, second] = names.filter((word, i) => i === 0 || !MODIFIERS.has(word));
  const instead = INSTEAD[`${first} ${second}`] ?? INSTEAD[`${first}`];
  return instead === undefined ? null : `${ONLY_QUERIES} ${instead}`;
}
