import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchDatabase, withBench } from '../database/open.ts';
import { bar, figures, table } from '../database/timing.ts';
import { newHome, type RunningService, removeHome, startStandalone } from '../service/service.ts';

const REQUESTS = 1500;
/** Requests come at a pace, as people's do. */
const PACE_MS = 5;

/** The sweep over many dropped tables in the process that answers requests; their latency without and with it. */
export async function sweep(tables = 100_000): Promise<void> {
  await withBench(async (bench) => {
    const home = newHome();
    const env = { SVC_DATABASE_URL: bench.url, SVC_RUN__SWEEP_INTERVAL: '10' };
    const service = await startStandalone(home, env);
    try {
      await fill(bench, service, home, tables);
    } finally {
      await service.stop();
      removeHome(home);
    }
  });
}

async function fill(bench: BenchDatabase, service: RunningService, home: string, tables: number): Promise<void> {
  const { client } = service;
  const environment = await client.environments.create('dev');
  await client.namespaces.create('dev', 'n');
  await client.tables.create('dev', 'n.asked', { columns: [{ name: 'id', type: 'long' }] });
  const root = `${home}/warehouse/tables/${environment.id}`;
  for (let i = 0; i < tables; i++) {
    await mkdir(`${root}/t${i}`, { recursive: true });
    await writeFile(`${root}/t${i}/0.parquet`, 'rows');
  }
  const readTable = () => client.tables.get('dev', 'n.asked');
  await requests(readTable, 300);
  const without = figures(await requests(readTable, REQUESTS));
  const before = await memory(service.pid);
  await bench.bare.query(
    `INSERT INTO tables (id, environment_id, namespace_id, name, name_key, kind, columns, location, created_at, updated_at,
       dropped_at, drop_id, drop_reason, purge_after)
     SELECT gen_random_uuid(), n.environment_id, n.id, 't' || i, 't' || i, 'managed', '[]', $1::text || i, now(), now(), now(),
       gen_random_uuid(), 'purge', now() FROM namespaces n, generate_series(0, $2::int - 1) i WHERE n.path = 'n'`,
    [`file://${root}/t`, tables],
  );
  const started = performance.now();
  while ((await left(bench)) === tables) await pause(50);
  const sweepStart = performance.now();
  const during: number[] = [];
  while ((await left(bench)) > 0) during.push(...(await requests(readTable, 50)));
  const seconds = (performance.now() - sweepStart) / 1000;
  const busy = figures(during);
  const grown = (await memory(service.pid)) - before;
  console.log(
    `\nThe sweep over ${tables} dropped tables: started after ${((sweepStart - started) / 1000).toFixed(1)} s, ${seconds.toFixed(1)} s (${Math.round(tables / seconds)} tables/s), ${grown.toFixed(0)} MB more at the peak\n`,
  );
  table(
    ['request, ms', 'p50', 'p99'],
    [
      ['without the sweep', without.p50, without.p99],
      [`during it (${during.length})`, busy.p50, busy.p99],
    ],
  );
  const ratio = busy.p99 / without.p99;
  bar(`a sweep makes the p99 of requests at most 1.2 times as long: ${ratio.toFixed(2)} ×`, ratio <= 1.2);
  bar(`in bounded memory: at most 100 MB more, ${grown.toFixed(0)} MB`, grown <= 100);
}

async function requests(send: () => Promise<unknown>, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    await send();
    times.push(performance.now() - started);
    await pause(PACE_MS);
  }
  return times;
}

async function left({ bare }: BenchDatabase): Promise<number> {
  const { rows } = await bare.query(
    'SELECT count(*)::int AS n FROM tables WHERE dropped_at IS NOT NULL AND purged_at IS NULL',
  );
  return rows[0].n;
}

/** The largest the process has been, in MB. */
async function memory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024;
}
