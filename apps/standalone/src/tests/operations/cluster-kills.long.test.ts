import { removeExpiredStaging } from '@svc/db/staging';
import type { WorkStep } from '@svc/worker/work';
import { freePort } from '../../../../../scripts/testing/free-port.mjs';
import { type Cluster, type Part, startCluster } from '../../testing/cluster.ts';
import { ClusterLoad, ROWS } from '../../testing/cluster-load.ts';
import { type Relay, startRelay } from '../../testing/failover/index.ts';
import { rowsOf } from '../../testing/orders.ts';
import { deployFiles } from '../../testing/projects.ts';
import { clientSide } from '../../testing/test-service.ts';

// Trino writes for three workers that are killed again and again: two at one step of their work after the other, one at any
// time. Less often, the server and Trino are killed. A fourth worker keeps working. After each round, everything is counted.
// TEST_KILLS is the number of kills (default: 60).
const KILLS = Number(process.env['TEST_KILLS'] ?? 60);
const ROUND = Math.min(KILLS, 50);
const SERVER_EVERY = 5;
const TRINO_EVERY = 16;
const STEPS: readonly WorkStep[] = [
  'claimed',
  'task.started',
  'staging.created',
  'staging.written',
  'commit.prepared',
  'commit.done',
  'run.ending',
  'finished',
];
/** What killed workers, servers and clusters may make of work. */
const EXPECTED = /^(queries|runs|maintenance): (worker-lost|engine-unavailable|FAILED|conflict)$/;

type Engines = typeof import('../../../../../scripts/engines/trino-server.mjs');
const script = (name: string) => new URL(`../../../../../scripts/engines/${name}`, import.meta.url).href;

let engines: Engines;
let installed: Awaited<ReturnType<Engines['findTrino']>>;
let cluster: Cluster;
let relay: Relay;
let service: ReturnType<typeof clientSide>;
let trino: Awaited<ReturnType<Engines['startTrino']>>;
let startTrino: () => Promise<void>;
let server: Part;
let load: ClusterLoad;
beforeAll(async () => {
  engines = (await import(script('trino-server.mjs'))) as Engines;
  installed = await engines.findTrino();
  if (installed === null) return;
  const port = await freePort();
  cluster = await startCluster({
    SVC_QUERY__ENGINE: 'trino',
    SVC_QUERY__TRINO_URL: `http://127.0.0.1:${port}`,
    SVC_QUERY__TRINO_CATALOG: 'svc',
    SVC_RUN__TRINO_ENVIRONMENTS: 'dev',
  });
  relay = await startRelay(Number(new URL(cluster.url).port));
  service = clientSide(`http://127.0.0.1:${relay.port}`, '');
  const { client, call } = service;
  await client.environments.create('dev');
  await client.principals.create({ name: 'trino', type: 'service-account' });
  await client.grants.create({ kind: 'ENVIRONMENT', environment: 'dev', principal: 'trino', role: 'ANALYST' });
  const { body } = await call('POST', '/principals/trino/tokens', { body: { name: 'catalog' } });
  const options = { url: service.url, catalog: 'svc', port, token: body.token };
  startTrino = async () => {
    trino = await engines.startTrino(installed!, options);
  };
  await startTrino();
  server = cluster.server;
  await cluster.startWorker();
  await makeTables();
  load = new ClusterLoad(service.call);
}, 600_000);
afterAll(async () => {
  await trino?.stop();
  await relay?.stop();
  await cluster?.stop();
});

test.each(Array.from({ length: Math.ceil(KILLS / ROUND) }, (_, i) => i + 1))(
  `round %i: nothing is lost or doubled in ${ROUND} kills`,
  async (round) => {
    if (installed === null) return;
    load.start();
    let kills = 0;
    const isOver = () => kills >= ROUND;
    await Promise.all([killAtSteps(round), killAtSteps(round + STEPS.length / 2), killAtAnyTime()]);
    await load.stop();
    report(round, kills);
    await everythingOnce();

    async function killAtSteps(first: number): Promise<void> {
      for (let iteration = first; !isOver(); iteration++) {
        const worker = await cluster.startWorker(STEPS[iteration % STEPS.length]);
        expect(await worker.exited).toBe('SIGKILL');
        kills++;
      }
    }

    async function killAtAnyTime(): Promise<void> {
      let worker: Part = await cluster.startWorker();
      for (let iteration = round; !isOver(); iteration++) {
        await load.next();
        if (iteration % TRINO_EVERY === 0) {
          await trino.stop('SIGKILL');
          await startTrino();
        } else if (iteration % SERVER_EVERY === 0) {
          const next = await cluster.startServer();
          relay.pointTo(Number(new URL(next.url).port));
          await server.kill();
          server = next;
        } else {
          await worker.kill();
          worker = await cluster.startWorker();
        }
        kills++;
      }
      await worker.stop();
    }
  },
  3_600_000,
);

async function makeTables(): Promise<void> {
  const { client } = service;
  const statement = async (sql: string, into?: string) => {
    const { id } = await client.queries.submit('dev', sql, into === undefined ? {} : { into, mode: 'create' });
    expect(await client.queries.wait('dev', id)).toMatchObject({ status: 'SUCCEEDED' });
  };
  await client.namespaces.create('dev', 'q');
  await statement(`SELECT k FROM range(${ROWS}) AS r(k)`, 'q.source');
  await statement('SELECT k, 0 AS batch FROM q.source WHERE k < 0', 'q.appended');
  await statement('SELECT k, 0 AS batch FROM q.source WHERE k < 0', 'q.inserted');
  await statement('SELECT k, 0 AS n FROM q.source', 'q.counted');
  await client.repositories.create({ name: 'built' });
  const deploy = await deployFiles(
    client,
    { env: 'dev', repository: 'built', folder: cluster.folder },
    {
      'svc.yaml': 'name: built\njobs:\n  grow:\n    select: ["*"]\n',
      'assets/built/grown.sql':
        '/* svc\nengine: trino\nmode: append\nchecks:\n  - not_null: [k]\n*/\nSELECT k FROM q.source',
    },
  );
  expect(deploy).toMatchObject({ status: 'succeeded' });
}

function report(round: number, kills: number): void {
  const { appended, inserted, updates, tasks, compactions, failures, caller } = load;
  const added = [...appended.values(), ...inserted.values()].filter(Boolean).length;
  const failed = [...failures].map(([code, times]) => `${times} × ${code}`).join(', ') || 'none';
  process.stderr.write(
    `round ${round}: ${kills} kills. So far, these succeeded: ${added} statements that add rows, ${updates} updates, ${tasks} tasks, ${compactions} compactions; failed: ${failed}; ${caller.setbacks.length} requests repeated\n`,
  );
}

async function everythingOnce(): Promise<void> {
  const { client } = service;
  const rows = async (sql: string) => (await rowsOf(client, 'dev', sql)).map((row) => row.map(Number));
  for (const [table, batches] of [
    ['q.appended', load.appended],
    ['q.inserted', load.inserted],
  ] as const) {
    const succeeded = [...batches].filter(([, success]) => success).map(([batch]) => [batch, ROWS]);
    expect([table, await rows(`SELECT batch, count(*) FROM ${table} GROUP BY batch ORDER BY batch`)]).toEqual([
      table,
      succeeded,
    ]);
  }
  expect(await rows('SELECT count(*), min(n), max(n) FROM q.counted')).toEqual([[ROWS, load.updates, load.updates]]);
  expect(await rows('SELECT count(*) FROM built.grown')).toEqual([[load.tasks * ROWS]]);
  expect([...load.failures.keys()].filter((failure) => !EXPECTED.test(failure))).toEqual([]);
  expect(await client.audit.verify()).toMatchObject({ intact: true, problem: null });
  const { prisma } = cluster.database.db;
  await removeExpiredStaging(prisma, { now: new Date(Date.now() + 9 * 86_400_000), limit: 10_000 });
  await cluster.sweep();
  expect(await cluster.sweep()).toBe(0);
  const left = await rows(
    'SELECT (SELECT count(*) FROM q.appended), (SELECT count(*) FROM q.inserted), (SELECT count(*) FROM built.grown)',
  );
  const sum = (batches: ReadonlyMap<number, boolean>) => [...batches.values()].filter(Boolean).length * ROWS;
  expect(left).toEqual([[sum(load.appended), sum(load.inserted), load.tasks * ROWS]]);
}
