// The PostgreSQL endpoint: a small query beside the same one over REST, 1,000,000 rows beside PostgreSQL itself, both read by psql, and
// the memory of idle connections. `npm run bench postgres [ROWS] [ROUNDS]` (default: 1000000 7). Needs psql. Aims: at most 5 ms more than
// REST; at least 50 % of PostgreSQL's rate; 200 connections in at most 50 MB.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { freePort } from '../../scripts/testing/free-port.mjs';
import { withBench } from '../database/open.ts';
import { interleave, median, report } from '../service/measure.ts';
import { memoryOf, newHome, removeHome, startStandalone, TOKEN } from '../service/service.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = Number(process.argv[3] ?? 7);
const IDLE = 200;

const home = newHome();
const port = await freePort();
const service = await startStandalone(home, { SVC_SQL__LISTEN: `127.0.0.1:${port}` });
const { client } = service;
await client.environments.create('bench');
await client.namespaces.create('bench', 'bench');
const options = { host: '127.0.0.1', port, user: 'admin', database: 'bench', password: TOKEN };

await smallQueries();
await largeResult();
await idleConnections();
await service.stop();
removeHome(home);

async function smallQueries(): Promise<void> {
  await client.queries.run('bench', 'SELECT i AS id, i % 25 AS k FROM range(10000) t(i)', { into: 'bench.small' });
  const connection = new pg.Client(options);
  await connection.connect();
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
  let n = 0;
  const sql = () => `SELECT k, count(*) AS n, ${++n} AS run FROM bench.small GROUP BY k ORDER BY k`;
  const overRest = async () => {
    const body = JSON.stringify({ sql: sql() });
    await (
      await fetch(`${service.url}/api/v1/environments/bench/queries?wait=60`, { method: 'POST', headers, body })
    ).json();
  };
  const times = await interleave(
    { rounds: 101, warmUp: 50 },
    { PostgreSQL: async () => void (await connection.query(sql())), REST: overRest },
  );
  report('small query, aim: over ≤ 5 ms', times, 'PostgreSQL', 'REST');
  await connection.end();
}

async function largeResult(): Promise<void> {
  const columns = (
    numbers: string,
  ) => `SELECT i::INT AS id, (i * 7)::BIGINT AS big, (i % 1000)::INT AS k, (i * 1.25)::FLOAT8 AS x,
    sqrt(i)::FLOAT8 AS y, 'customer ' || i AS name, 'city ' || i % 500 AS city, (DATE '2020-01-01' + (i % 2000)::INT)::DATE AS day,
    TIMESTAMP '2024-01-01' + i * INTERVAL '1 second' AS at, (i * 0.01)::DECIMAL(18,2) AS amount FROM ${numbers}`;
  await client.queries.run('bench', columns(`range(${ROWS}) t(i)`), { into: 'bench.wide' });
  await withBench(async ({ url, bare }) => {
    await bare.query(`CREATE TABLE wide AS ${columns(`generate_series(0, ${ROWS - 1}) t(i)`)}`);
    await bare.query('VACUUM ANALYZE wide');
    const ours = `postgresql://admin@127.0.0.1:${port}/bench`;
    const times = await interleave(
      { rounds: ROUNDS },
      { svc: () => psql(ours, 'SELECT * FROM bench.wide'), PostgreSQL: () => psql(url, 'SELECT * FROM wide') },
    );
    report(`${ROWS} rows × 10 columns into psql, aim: ratio ≤ 2`, times, 'svc', 'PostgreSQL');
  });
}

async function psql(url: string, sql: string): Promise<void> {
  const args = ['--no-psqlrc', '--tuples-only', '--no-align', '--output', '/dev/null', '--command', sql, url];
  const child = spawn('psql', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PGPASSWORD: TOKEN },
  });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`psql exited with ${code}`);
}

async function idleConnections(): Promise<void> {
  const resident = async () => {
    // Memory of the work before is collected within seconds.
    const seen: number[] = [];
    for (let i = 0; i < 5; i++) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      seen.push(memoryOf(service.pid).resident / 2 ** 20);
    }
    return median(seen);
  };
  await service.stop();
  const again = await startStandalone(home, {
    SVC_SQL__LISTEN: `127.0.0.1:${port}`,
    SVC_SQL__CONNECTIONS_PER_PRINCIPAL: '1000',
  });
  Object.assign(service, again);
  const before = await resident();
  const connections = Array.from({ length: IDLE }, () => new pg.Client(options));
  for (const connection of connections) {
    await connection.connect();
    await connection.query('SELECT 1');
  }
  const after = await resident();
  console.log(`\n${IDLE} idle connections, aim: ≤ 50 MB`);
  console.log(
    `  ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB with them: ${(after - before).toFixed(0)} MB more`,
  );
  await Promise.all(connections.map((connection) => connection.end()));
}
