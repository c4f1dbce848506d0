// What a run of three tasks costs among few and among many earlier ones, and what its page and its list cost.
// `npm run bench history [RUNS] [ROUNDS]`.
import { randomUUID } from 'node:crypto';
import { type Database, inTransaction, openDatabase, silent } from '@svc/db/connection';
import { claimWork } from '@svc/db/leases';
import { migrate } from '@svc/db/migrate';
import { findRun, finishRun, finishTask, listRuns, lockTasks, readLog, startRun, startTask } from '@svc/db/runs';
import pg from 'pg';
import { idOf, uuidSql as uuid } from '../database/ids.ts';
import { urlOf, withBench } from '../database/open.ts';
import { bar, figures, interleave, pairedRatio, table } from '../database/timing.ts';

const MANY = Number(process.argv[2] ?? 1_000_000);
const FEW = 1000;
const LINES = 10;
const ROUNDS = Number(process.argv[3] ?? 300);
const ASSETS = ['raw.a', 'core.b', 'marts.c'];
const ENVIRONMENT = idOf('e', 0);
const REPOSITORY = idOf('a', 0);
const PRINCIPAL = idOf('c', 0);
const VERSION = idOf('b', 0);
const OLDEST = idOf('f', 1);

/** Finished runs, the last of them from a second ago and one a second before that, each with its tasks and its log. */
async function fill(url: string, runs: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const time = `now() - make_interval(secs => ${runs + 1} - i)`;
  const status = `CASE WHEN i % 1000 = 7 THEN 'failed' ELSE 'succeeded' END`;
  await client.query(`INSERT INTO environments (id, name, created_at) VALUES ('${ENVIRONMENT}', 'prod', now())`);
  await client.query(
    `INSERT INTO repositories (id, name, created_at, updated_at) VALUES ('${REPOSITORY}', 'project', now(), now())`,
  );
  await client.query(
    `INSERT INTO principals (id, name, type, created_at) VALUES ('${PRINCIPAL}', 'runner', 'service-account', now())`,
  );
  await client.query(
    `INSERT INTO runs (id, environment_id, repository_id, project_version_id, job, trigger, principal_id, status, "select", created_at, started_at, ended_at)
     SELECT ${uuid('f', 'i')}, '${ENVIRONMENT}', '${REPOSITORY}', '${VERSION}', 'job' || i % 100, 'schedule', '${PRINCIPAL}', ${status}, '["*"]',
       ${time}, ${time}, ${time} FROM generate_series(1, ${runs}) i`,
  );
  await client.query(
    `INSERT INTO run_tasks (id, run_id, position, asset, depends_on, status, attempts, started_at, ended_at, rows)
     SELECT gen_random_uuid(), ${uuid('f', 'i')}, at - 1, asset, '[]', 'succeeded', 1, ${time}, ${time}, 1000
     FROM generate_series(1, ${runs}) i, unnest($1::text[]) WITH ORDINALITY AS t(asset, at)`,
    [ASSETS],
  );
  await client.query(
    `INSERT INTO run_logs (run_id, asset, stream, time, line)
     SELECT ${uuid('f', 'i')}, 'raw.a', 'stdout', ${time}, 'line ' || at || ' of what a task printed: ' || repeat('x', 60)
     FROM generate_series(1, ${runs}) i, generate_series(1, ${LINES}) at`,
  );
  await client.query('VACUUM ANALYZE');
  await client.end();
}

/** From the start of a run to its end, as a worker performs it. */
async function performRun(db: Database): Promise<void> {
  const { prisma } = db;
  const now = new Date();
  const id = randomUUID();
  const tasks = ASSETS.map((asset, i) => ({ asset, dependsOn: ASSETS.slice(0, i) }));
  await inTransaction(db, (tx) =>
    startRun(tx, {
      ...{ id, environmentId: ENVIRONMENT, repositoryId: REPOSITORY, versionId: VERSION, job: 'job1' },
      ...{ trigger: 'manual', principalId: PRINCIPAL, requestedBy: null, select: ['*'], upstream: false },
      ...{ downstream: false, timeoutSeconds: null, tasks, requestId: null, now },
    }),
  );
  const claim = await claimWork(prisma, { kind: 'runs', owner: randomUUID(), now, leaseMs: 60_000 });
  if (claim?.id !== id) throw new Error('another run was claimed');
  const ids = ASSETS.map(() => randomUUID());
  for (const task of await lockTasks(prisma, { claim, ids, now })) {
    await startTask(prisma, { claim, taskId: task.id, now });
    const outcome = { status: 'succeeded', rows: 1, error: null } as const;
    await inTransaction(db, (tx) => finishTask(tx, { claim, taskId: task.id, outcome, now }));
  }
  await inTransaction(db, (tx) => finishRun(tx, { claim, outcome: { status: 'succeeded', error: null }, now }));
}

await withBench(async (bench) => {
  const opened: Record<string, Database> = {};
  for (const [name, runs] of Object.entries({ few: FEW, many: MANY })) {
    await bench.bare.query(`CREATE DATABASE ${name}`);
    const url = urlOf(bench, name);
    await migrate(url);
    await fill(url, runs);
    opened[name] = await openDatabase({ url, log: silent, statementTimeoutMs: 0, poolSize: 2 });
  }
  const { few, many } = opened as { few: Database; many: Database };
  const cases: Record<string, (db: Database) => Promise<unknown>> = {
    'a run of 3 tasks': performRun,
    'the record of the oldest run': ({ prisma }) => findRun(prisma, OLDEST),
    'the log of the oldest run': ({ prisma }) => readLog(prisma, { runId: OLDEST, after: 0, limit: 1000 }),
    'the first page of 100 runs': ({ prisma }) =>
      listRuns(prisma, { filter: { environmentId: ENVIRONMENT }, page: { limit: 100, after: null } }),
  };
  const rows = [];
  for (const [name, work] of Object.entries(cases)) {
    const times = await interleave(ROUNDS, { few: () => work(few), many: () => work(many) });
    const ratio = pairedRatio(times.many, times.few);
    rows.push({ name, ratio, few: figures(times.few).p50, many: figures(times.many).p50 });
  }
  table(
    ['p50, ms', `${FEW} runs`, `${MANY} runs`, 'ratio'],
    rows.map((row) => [row.name, row.few, row.many, `${row.ratio.toFixed(2)} ×`]),
  );
  const worst = rows.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  bar(`nothing takes over 20 % longer among many: ${worst.name} ${worst.ratio.toFixed(2)} ×`, worst.ratio <= 1.2);
  for (const db of Object.values(opened)) await db.close();
});
