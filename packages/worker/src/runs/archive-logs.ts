import type { LogLine } from '@svc/core/runs';
import { inTransaction } from '@svc/db/connection';
import { type LeaderLease, lockLeaderLease } from '@svc/db/leases';
import { type ArchivedLog, findLogsToArchive, readLog, replaceByLogFiles } from '@svc/db/runs';
import { logFile, readLogFile, writeLogFile } from '@svc/lake/runs';
import { isDiskFull } from '@svc/lake/storage';
import type { WorkerDeps } from '../work/deps.ts';

type Deps = Pick<WorkerDeps, 'db' | 'store' | 'clock' | 'newId' | 'log'>;

const DAY_MS = 24 * 3_600_000;
/** Logs that one transaction moves. Their files are written concurrently, each with a database connection of the worker. */
const BATCH = 4;
const PAGE = 1000;

/**
 * Moves the logs of runs that finished `days` ago to storage (RUN-24). A batch of files is written and read again, and then one transaction
 * records them and removes the lines: until it commits, an attempt that dies has only left files, which the sweep removes. A log that
 * can't be moved is reported, and the next call tries it again.
 *
 * @throws if the storage is unavailable or full: then no log can be moved
 */
export async function archiveLogs(
  deps: Deps,
  { lease, days }: { lease: LeaderLease; days: number },
  signal: AbortSignal,
): Promise<{ logs: number; lines: number; failed: number }> {
  const total = { logs: 0, lines: 0, failed: 0 };
  const failed: string[] = [];
  const skip = (runId: string, err: unknown) => {
    if (deps.store.isUnavailable(err) || isDiskFull(err)) throw err;
    deps.log.error(
      { err, run_id: runId },
      "The log of a run couldn't be archived. It stays in the database and is tried again later",
    );
    failed.push(runId);
    total.failed = failed.length;
  };
  const finishedBefore = new Date(deps.clock().getTime() - days * DAY_MS);
  for (;;) {
    signal.throwIfAborted();
    const runIds = await findLogsToArchive(deps.db.prisma, { finishedBefore, except: failed, limit: BATCH });
    if (runIds.length === 0) return total;
    const written: ArchivedLog[] = [];
    for (const [i, log] of (await Promise.allSettled(runIds.map((id) => writeLog(deps, id)))).entries()) {
      if (log.status === 'fulfilled') written.push(log.value);
      else skip(runIds[i]!, log.reason);
    }
    const moved = written.length === 0 ? [] : await recordLogs(deps, lease, written, skip);
    if (moved === null) return total;
    total.logs += moved.length;
    total.lines += moved.reduce((sum, { lines }) => sum + lines, 0);
  }
}

/** Records logs together, or one by one if that fails. Returns those that were recorded, or null if this worker is no longer the leader. */
async function recordLogs(
  deps: Deps,
  lease: LeaderLease,
  logs: readonly ArchivedLog[],
  skip: (runId: string, error: unknown) => void,
): Promise<readonly ArchivedLog[] | null> {
  try {
    const isLeader = await inTransaction(deps.db, async (tx) => {
      if (!(await lockLeaderLease(tx, lease))) return false;
      await replaceByLogFiles(tx, logs);
      return true;
    });
    return isLeader ? logs : null;
  } catch (error) {
    const [first, ...others] = logs;
    if (others.length === 0) {
      skip(first!.runId, error);
      return [];
    }
    const recorded: ArchivedLog[] = [];
    for (const log of logs) {
      const one = await recordLogs(deps, lease, [log], skip);
      if (one === null) return null;
      recorded.push(...one);
    }
    return recorded;
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
