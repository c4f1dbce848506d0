import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { makeDue } from './fill.ts';
import { end, pause, request, start } from './processes.ts';

const SCHEDULERS = 2;
/** Time enough to make everything due before it is. */
const LEAD_MS = 4000;
const TIMEOUT_MS = 60_000;

/** Milliseconds from due time to committed run of each schedule; and whether each was started exactly once. */
export interface Round {
  late: number[];
  once: boolean;
}

export async function startSchedulers(url: string, leaseSeconds: number): Promise<ChildProcess[]> {
  const children: ChildProcess[] = [];
  for (let i = 0; i < SCHEDULERS; i++) children.push(await start('./scheduler-process.ts', url, String(leaseSeconds)));
  return children;
}

/** Everything due at one moment; `onFirst` is called when the first runs have started. */
export async function round(
  url: string,
  bare: pg.Client,
  count: number,
  onFirst: () => Promise<void> = async () => {},
): Promise<Round> {
  const due = new Date(Date.now() + LEAD_MS);
  await makeDue(bare, count, due);
  // A batch of runs is announced when its transaction commits, which makes their start visible.
  const commits: number[] = [];
  const listener = new pg.Client({ connectionString: url });
  await listener.connect();
  listener.on('notification', () => {
    commits.push(Date.now());
    if (commits.length === 1) void onFirst();
  });
  await listener.query('LISTEN svc_queued');
  const startedRuns = async () => {
    const { rows } = await bare.query('SELECT count(*)::int AS n FROM runs WHERE scheduled_for = $1', [due]);
    return rows[0].n as number;
  };
  await pause(due.getTime() + 500 - Date.now());
  while ((await startedRuns()) < count && Date.now() < due.getTime() + TIMEOUT_MS) await pause(500);
  await listener.end();
  const { rows: batches } = await bare.query(
    'SELECT count(*)::int AS n FROM runs WHERE scheduled_for = $1 GROUP BY xmin ORDER BY xmin::text::bigint',
    [due],
  );
  if (batches.length !== commits.length) throw new Error(`${batches.length} batches, ${commits.length} notifications`);
  const { rows } = await bare.query(
    `SELECT count(*)::int AS runs, count(DISTINCT repository_id)::int AS projects,
            (SELECT count(*)::int FROM job_starts WHERE ended_at IS NULL) AS waiting FROM runs WHERE scheduled_for = $1`,
    [due],
  );
  const [{ runs, projects, waiting }] = rows;
  const late = batches.flatMap(({ n }, i) => Array<number>(n).fill(commits[i]! - due.getTime()));
  return { late, once: runs === count && projects === count && waiting === 0 };
}

/** The same, but the leader is killed as soon as the first runs have started. */
export async function roundWithKill(url: string, bare: pg.Client, count: number, leaseSeconds: number): Promise<Round> {
  const children = await startSchedulers(url, leaseSeconds);
  try {
    const leader = await leaderOf(children);
    return await round(url, bare, count, async () => void leader.kill('SIGKILL'));
  } finally {
    await end(children);
  }
}

/** The process that is the leader, once earlier leases have expired. */
async function leaderOf(children: readonly ChildProcess[]): Promise<ChildProcess> {
  for (;;) {
    for (const child of children) if (await request<boolean>(child, 'holder')) return child;
    await pause(100);
  }
}

/** CPU time that a process on this machine has used; 0 if the system doesn't report it. */
function processorMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** Processor milliseconds a second that the schedulers and their database sessions take while nothing is due. */
export async function idleCost(url: string, bare: pg.Client, seconds: number): Promise<number> {
  const children = await startSchedulers(url, 15);
  try {
    // A new leader checks once whether next times must be recomputed; by now that is done.
    await leaderOf(children);
    await pause(1500);
    const before = await spent(children, bare);
    await pause(seconds * 1000);
    return ((await spent(children, bare)) - before) / seconds;
  } finally {
    await end(children);
  }
}

async function spent(children: readonly ChildProcess[], bare: pg.Client): Promise<number> {
  let ms = 0;
  for (const child of children) {
    const { user, system } = await request<NodeJS.CpuUsage>(child, 'cpu');
    ms += (user + system) / 1000;
  }
  const { rows } = await bare.query(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'svc' AND pid <> pg_backend_pid()`,
  );
  return ms + rows.reduce((sum, { pid }) => sum + processorMs(pid), 0);
}
