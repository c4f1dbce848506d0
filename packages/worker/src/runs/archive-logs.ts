import type { LogLine } from '@svc/core/runs';
import { inTransaction } from '@svc/db/connection';
import { type LeaderLease, lockLeaderLease } from '@svc/db/leases';
import { type ArchivedLog, findLogsToArchive, readLog, replaceByLogFiles } from '@svc/db/runs';
import { logFile, readLogFile, writeLogFile } from '@svc/lake/runs';
import type { WorkerDeps } from '../work/deps.ts';

type Deps = Pick<WorkerDeps, 'db' | 'store' | 'clock' | 'newId'>;

const DAY_MS = 24 * 3_600_000;
/** Logs that one transaction moves. Their files are written concurrently, each with a database connection of the worker. */
const BATCH = 4;
const PAGE = 1000;

/**
 * Moves the logs of runs that finished `days` ago to storage (RUN-24). A batch of files is written and read again, and then one transaction
 * records them and removes the lines: until it commits, an attempt that dies has only left files, which the sweep removes.
 */
export async function archiveLogs(
  deps: Deps,
  { lease, days }: { lease: LeaderLease; days: number },
  signal: AbortSignal,
): Promise<{ logs: number; lines: number }> {
  const total = { logs: 0, lines: 0 };
  const finishedBefore = new Date(deps.clock().getTime() - days * DAY_MS);
  for (;;) {
    signal.throwIfAborted();
    const runIds = await findLogsToArchive(deps.db.prisma, { finishedBefore, limit: BATCH });
    if (runIds.length === 0) return total;
    const logs = await Promise.all(runIds.map((id) => writeLog(deps, id)));
    const isLeader = await inTransaction(deps.db, async (tx) => {
      if (!(await lockLeaderLease(tx, lease))) return false;
      await replaceByLogFiles(tx, logs);
      return true;
    });
    if (!isLeader) return total;
    total.logs += logs.length;
    total.lines += logs.reduce((sum, { lines }) => sum + lines, 0);
  }
}

async function writeLog({ db, store, newId }: Deps, runId: string): Promise<ArchivedLog> {
  const location = logFile(store, runId, newId());
  const written = { lines: 0, lastSequence: 0 };
  const counted = async function* (): AsyncGenerator<LogLine> {
    for (let page = PAGE; page === PAGE; ) {
      const lines = await readLog(db.prisma, { runId, after: written.lastSequence, limit: PAGE });
      yield* lines;
      page = lines.length;
      written.lines += page;
      written.lastSequence = lines.at(-1)?.sequence ?? written.lastSequence;
    }
  };
  await writeLogFile(store, location, counted());
  const found = { lines: 0, lastSequence: 0 };
  for await (const { sequence } of await readLogFile(store, location)) {
    found.lines++;
    found.lastSequence = sequence;
  }
  if (found.lines !== written.lines || found.lastSequence !== written.lastSequence)
    throw new Error(`The file ${location} doesn't have the lines that were written to it. Nothing was removed.`);
  return { runId, location, ...written };
}
