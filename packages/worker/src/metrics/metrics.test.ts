import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { pino } from 'pino';
import { startLoop } from '../work/loop.ts';
import { createWorkMetrics, serveMetrics } from './index.ts';

const log = pino({ level: 'silent' });
let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

test('a worker reports its work, loops, lost leases and processes, and whether it is live and ready', async () => {
  const metrics = createWorkMetrics({ sandbox: { children: 3 } });
  const served = await serveMetrics({
    listen: { host: '127.0.0.1', port: 0 },
    metrics,
    db: test_.db,
    log,
    clock: () => new Date(),
  });
  const get = async (path: string) => {
    const answer = await fetch(`${served.url}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  const finished = metrics.claimed('queries');
  expect((await get('/metrics')).text).toContain('svc_work_running{kind="queries"} 1');
  finished('finished');
  metrics.claimed('runs')('released');
  metrics.leaseLost('writes');
  metrics.task({ kind: 'table', language: 'sql', outcome: 'failed' }, 2);
  const { text } = await get('/metrics');
  for (const line of [
    'svc_work_running{kind="queries"} 0',
    'svc_work_claimed_total{kind="queries"} 1',
    'svc_work_claimed_total{kind="deploys"} 0',
    'svc_work_duration_seconds_count{kind="queries",outcome="finished"} 1',
    'svc_work_duration_seconds_count{kind="runs",outcome="released"} 1',
    'svc_leases_lost_total{kind="writes"} 1',
    'svc_task_duration_seconds_sum{kind="table",language="sql",outcome="failed"} 2',
    'svc_child_processes{of="statements"} 3',
    'svc_child_processes{of="tasks"} 0',
    'svc_work_waiting{kind="queries"} 0',
    'svc_scheduler_leader 0',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).toContain('process_resident_memory_bytes');
  expect(await get('/livez')).toEqual({ status: 200, text: '{"status":"ok"}' });
  expect((await get('/readyz')).status).toBe(200);
  expect((await get('/elsewhere')).status).toBe(404);
  served.drain();
  expect((await get('/readyz')).status).toBe(503);
  expect((await get('/livez')).status).toBe(200);
  await served.stop();
});

test('the metrics of a worker can require a token (SERVICE-16)', async () => {
  const metrics = createWorkMetrics({ sandbox: { children: 0 } });
  const listen = { host: '127.0.0.1', port: 0 };
  const served = await serveMetrics({
    listen,
    token: 'scrape-me',
    metrics,
    db: test_.db,
    log,
    clock: () => new Date(),
  });
  const scrape = async (headers: Record<string, string>) => (await fetch(`${served.url}/metrics`, { headers })).status;
  expect(await scrape({})).toBe(401);
  expect(await scrape({ authorization: 'Bearer other' })).toBe(401);
  expect(await scrape({ authorization: 'Bearer scrape-me' })).toBe(200);
  expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
  await served.stop();
});

test('an address in use is reported with the setting to change', async () => {
  const metrics = createWorkMetrics({ sandbox: { children: 0 } });
  const first = await serveMetrics({
    listen: { host: '127.0.0.1', port: 0 },
    metrics,
    db: test_.db,
    log,
    clock: () => new Date(),
  });
  const port = Number(new URL(first.url).port);
  await expect(
    serveMetrics({ listen: { host: '127.0.0.1', port }, metrics, db: test_.db, log, clock: () => new Date() }),
  ).rejects.toThrow(
    `Address 127.0.0.1:${port} is already in use, perhaps by another svc. Stop that program, or set SVC_WORKER__METRICS_LISTEN to another address.`,
  );
  await first.stop();
});

test('counts the ticks of loops with the work they did, and failed ticks separately', async () => {
  const metrics = createWorkMetrics({ sandbox: { children: 0 } });
  let ticks = 0;
  const ticked = new Promise<void>((resolve) => {
    const loop = startLoop(
      {
        name: 'sweep',
        everyMs: 1,
        runOnce: async () => {
          ticks++;
          if (ticks === 1) return { tables: 2, files: 0 };
          if (ticks > 2) resolve();
          throw new Error('away');
        },
      },
      log,
      metrics,
    );
    void stops.push(loop.stop);
  });
  await ticked;
  for (const stop of stops) await stop();
  const text = await metrics.registry.metrics();
  expect(text).toContain('svc_loop_done_total{loop="sweep",what="tables"} 2');
  expect(text).not.toContain('what="files"');
  expect(text).toContain('svc_loop_duration_seconds_count{loop="sweep",outcome="finished"} 1');
  expect(text).toMatch(/svc_loop_duration_seconds_count\{loop="sweep",outcome="failed"\} \d/);
});

const stops: (() => Promise<void>)[] = [];
