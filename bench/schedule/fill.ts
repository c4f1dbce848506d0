import { zoneDatabaseVersion } from '@svc/core/jobs';
import type pg from 'pg';
import { uuidSql as uuid } from '../database/ids.ts';

const ASSETS = JSON.stringify(
  ['raw.a', 'core.b', 'marts.c'].map((name, i, names) => ({
    name,
    namespace: name.split('.')[0],
    table: name.split('.')[1],
    kind: 'table',
    description: null,
    columns: {},
    dependsOn: i === 0 ? [] : [names[i - 1]],
    tags: [],
    mode: 'replace',
    watermark: null,
    checks: [],
    file: `assets/${name.replace('.', '/')}.sql`,
    line: 1,
    source: { language: 'sql', sql: i === 0 ? 'SELECT 1 AS x' : `SELECT * FROM ${names[i - 1]}` },
  })),
);
const SCHEDULE = { cron: '0 0 1 1 *', timezone: 'UTC' };
const JOB = JSON.stringify({
  name: 'nightly',
  select: ['*'],
  upstream: false,
  downstream: false,
  schedule: SCHEDULE,
  webhook: null,
  timeoutSeconds: null,
  retries: 0,
});

const TASKS = JSON.stringify(
  ['raw.a', 'core.b', 'marts.c'].map((asset, i, all) => ({ asset, depends_on: i === 0 ? [] : [all[i - 1]] })),
);

/** Deployed projects of three assets, each with one scheduled job that is due in a year; its account is bound. */
export async function addProjects(client: pg.Client, from: number, count: number): Promise<void> {
  const series = `generate_series(${from}, ${from + count - 1}) i`;
  await client.query(
    `INSERT INTO environments (id, name, created_at) VALUES (${uuid('e', '0')}, 'prod', now()) ON CONFLICT DO NOTHING`,
  );
  await client.query(
    `INSERT INTO principals (id, name, type, created_at) VALUES (${uuid('c', '0')}, 'runner', 'service-account', now()) ON CONFLICT DO NOTHING`,
  );
  await client.query(
    `INSERT INTO repositories (id, name, created_at, updated_at) SELECT ${uuid('a', 'i')}, 'project' || i, now(), now() FROM ${series}`,
  );
  await client.query(
    `INSERT INTO project_versions (id, environment_id, repository_id, deploy_id, location, name, assets, jobs, created_at, created_by)
     SELECT ${uuid('b', 'i')}, ${uuid('e', '0')}, ${uuid('a', 'i')}, ${uuid('f', 'i')}, '', 'project' || i, $1::jsonb,
            jsonb_build_array($2::jsonb), now(), ${uuid('c', '0')} FROM ${series}`,
    [ASSETS, JOB],
  );
  await client.query(
    `INSERT INTO deployments (id, environment_id, repository_id, project_version_id, run_as_id, created_at, created_by, updated_at)
     SELECT gen_random_uuid(), ${uuid('e', '0')}, ${uuid('a', 'i')}, ${uuid('b', 'i')}, ${uuid('c', '0')}, now(), ${uuid('c', '0')}, now()
     FROM ${series}`,
  );
  await client.query(
    `INSERT INTO jobs (id, environment_id, repository_id, name, definition, tasks, cron, timezone, next_run_at, zone_database, created_at, updated_at)
     SELECT ${uuid('d', 'i')}, ${uuid('e', '0')}, ${uuid('a', 'i')}, 'nightly', $1::jsonb, $5::jsonb, $2, $3, now() + interval '1 year', $4, now(), now()
     FROM ${series}`,
    [JOB, SCHEDULE.cron, SCHEDULE.timezone, zoneDatabaseVersion(), TASKS],
  );
  await client.query('VACUUM ANALYZE');
}

/** Makes the first `count` schedules due at a time and returns that time. The runs of earlier times have finished. */
export async function makeDue(client: pg.Client, count: number, at: Date): Promise<void> {
  await client.query(`UPDATE runs SET status = 'succeeded', ended_at = now() WHERE status = 'queued'`);
  await client.query(`UPDATE jobs SET next_run_at = $1 WHERE id < ${uuid('d', '$2::int')}`, [at, count]);
  await client.query('VACUUM ANALYZE jobs, runs, job_starts');
}
