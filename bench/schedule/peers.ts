import type { ChildProcess } from 'node:child_process';
import { makeWorkerUtils, type WorkerUtils } from 'graphile-worker';
import PgBoss from 'pg-boss';
import { end, pause, request, start } from './processes.ts';

const WORKERS = 2;
const LEAD_MS = 4000;
const TIMEOUT_MS = 60_000;

/** A queue that a user may pick instead: jobs due at one moment, taken by two worker processes. */
export interface Peer {
  name: string;
  /** Milliseconds from due time to start of each job. */
  round: (count: number) => Promise<number[]>;
  close: () => Promise<void>;
}

export async function openPeers(url: string): Promise<Peer[]> {
  const utils: WorkerUtils = await makeWorkerUtils({ connectionString: url });
  await utils.migrate();
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue('start');
  return [
    await open('graphile-worker', url, {
      add: (count, runAt) =>
        utils.withPgClient(async (client) => {
          const add = "SELECT graphile_worker.add_job('start', run_at := $1) FROM generate_series(1, $2::int)";
          await client.query(add, [runAt, count]);
        }),
      close: async () => void (await utils.release()),
    }),
    await open('pg-boss', url, {
      add: (count, startAfter) =>
        boss.insert(Array.from({ length: count }, () => ({ name: 'start', startAfter }))).then(() => {}),
      close: () => boss.stop({ graceful: false }),
    }),
  ];
}

interface Queue {
  add: (count: number, at: Date) => Promise<void>;
  close: () => Promise<void>;
}

async function open(name: string, url: string, queue: Queue): Promise<Peer> {
  const children: ChildProcess[] = [];
  for (let i = 0; i < WORKERS; i++) children.push(await start('./peer-process.ts', name, url));
  const collect = async () => (await Promise.all(children.map((child) => request<number[]>(child, 'begun')))).flat();
  return {
    name,
    async round(count) {
      await collect();
      const due = new Date(Date.now() + LEAD_MS);
      await queue.add(count, due);
      const startedAt: number[] = [];
      while (startedAt.length < count && Date.now() < due.getTime() + TIMEOUT_MS) {
        await pause(500);
        startedAt.push(...(await collect()));
      }
      return startedAt.map((at) => at - due.getTime());
    },
    async close() {
      await end(children);
      await queue.close();
    },
  };
}
