import type pg from 'pg';
import { idOf, uuidSql as uuid } from '../database/ids.ts';

/** Rows of each list: a page of 100 at row 1,000,000 is followed by some more. */
export const ROWS = 1_000_200;
/** The moment of the newest row: row i, counted from the newest, is i × STEP_MS older. */
export const NEWEST = new Date('2026-06-02T00:00:00Z');
// All of them within the 24 hours that the list of queries shows.
const STEP_MS = 80;

export const ENVIRONMENT = idOf('e', 0);
/** Matches one row in a thousand, as does the value of the same number in every filtered column. */
export const RARE = 7;

/** Time and id of the row at a position, counted from the newest. */
export const positionOf = (kind: string, position: number) => ({
  at: new Date(NEWEST.getTime() - position * STEP_MS),
  id: idOf(kind, ROWS - position),
});

const I = `(${ROWS} - i)`;
const TIME = `timestamptz '${NEWEST.toISOString()}' - make_interval(secs => ${I} * ${STEP_MS / 1000})`;
const SERIES = `generate_series(1, ${ROWS}) i`;
const ENV = `'${ENVIRONMENT}'::uuid`;
// One in a thousand fails, spread evenly.
const STATUS = `CASE WHEN i % 1000 = ${RARE} THEN 'failed' ELSE 'succeeded' END`;
const thousand = (kind: string) => uuid(kind, 'i % 1000');

const STATEMENTS = [
  `INSERT INTO environments (id, name, created_at) VALUES (${ENV}, 'prod', now())`,
  `INSERT INTO repositories (id, name, created_at, updated_at) SELECT ${uuid('a', 'i')}, 'r' || i, now(), now() FROM generate_series(0, 999) i`,
  `INSERT INTO principals (id, name, type, created_at) SELECT ${uuid('c', 'i')}, 'p' || i, 'person', now() FROM generate_series(0, 999) i`,
  `INSERT INTO namespaces (id, environment_id, path, path_key, created_at) VALUES (${uuid('d', '0')}, ${ENV}, 'n', 'n', now())`,
  `INSERT INTO tables (id, environment_id, namespace_id, name, name_key, kind, columns, created_at, updated_at)
   SELECT ${uuid('b', 'i')}, ${ENV}, ${uuid('d', '0')}, 't' || i, 't' || i, 'managed', '[]', now(), now() FROM generate_series(0, 999) i`,
  `INSERT INTO runs (id, environment_id, repository_id, project_version_id, job, trigger, principal_id, status, "select", created_at, started_at, ended_at)
   SELECT ${uuid('f', 'i')}, ${ENV}, ${thousand('a')}, ${uuid('9', '0')}, 'job' || i % 1000,
     CASE WHEN i % 1000 = ${RARE} THEN 'manual' ELSE 'schedule' END, ${thousand('c')}, ${STATUS}, '["*"]',
     ${TIME}, ${TIME}, ${TIME} FROM ${SERIES}`,
  `INSERT INTO deploys (id, environment_id, repository_id, status, created_by, created_at, ended_at)
   SELECT ${uuid('8', 'i')}, ${ENV}, ${thousand('a')}, 'succeeded', ${thousand('c')}, ${TIME}, ${TIME} FROM ${SERIES}`,
  `INSERT INTO queries (id, environment_id, submitter_id, status, sql_text, token_kind, created_at, started_at, ended_at)
   SELECT ${uuid('7', 'i')}, ${ENV}, ${thousand('c')}, ${STATUS}, 'SELECT ' || i, 'personal', ${TIME}, ${TIME}, ${TIME} FROM ${SERIES}`,
  `INSERT INTO grants (id, principal_id, action, kind, environment_id, namespace_id, table_id, object_id, created_at)
   SELECT ${uuid('6', 'i')}, ${thousand('c')}, CASE WHEN i % 1000 = ${RARE} THEN 'MAINTAIN_TABLE' ELSE 'READ_TABLE' END, 'TABLE',
     ${ENV}, ${uuid('d', '0')}, ${thousand('b')}, ${thousand('b')}, ${TIME} FROM ${SERIES}`,
  `INSERT INTO audit_events (id, sequence, time, type, principal_id, principal, environment_id, object, detail)
   SELECT ${uuid('5', 'i')}, i, ${TIME}, CASE WHEN i % 1000 = ${RARE} THEN 'GRANT_CREATED' ELSE 'QUERY_COMPLETED' END,
     ${thousand('c')}, 'p' || i % 1000, ${ENV}, '{"kind": "ENVIRONMENT", "environment": "prod"}', '{"rows": 1}' FROM ${SERIES}`,
];

const FILLED = ['runs', 'deploys', 'queries', 'grants', 'audit_events'];

/** Fills the lists. Row 1 is the oldest; ids grow with time, as the service makes them. */
export async function fill(client: pg.Client): Promise<void> {
  // Indexes are made afterwards: sorting is faster than a million insertions into each.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = 'public' AND tablename = ANY($1) AND indexname NOT LIKE '%_pkey'`,
    [FILLED],
  );
  await client.query(`SET maintenance_work_mem = '256MB'`);
  for (const { name } of indexes) await client.query(`DROP INDEX ${client.escapeIdentifier(name)}`);
  for (const statement of STATEMENTS) await client.query(statement);
  for (const { definition } of indexes) await client.query(definition.replace(' ON ONLY ', ' ON '));
  await client.query('VACUUM ANALYZE');
}
