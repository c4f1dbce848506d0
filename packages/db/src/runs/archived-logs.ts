import type { Transaction } from '../connection/index.ts';

/** A log that was written to a file: its lines up to the last one. */
export interface ArchivedLog {
  readonly runId: string;
  readonly location: string;
  readonly lines: number;
  /** 0 if the log is empty. */
  readonly lastSequence: number;
}

/** Up to `limit` runs that finished before a time and whose logs are still in the database, the first to finish first. */
export async function findLogsToArchive(
  client: Transaction,
  { finishedBefore, except, limit }: { finishedBefore: Date; except: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs WHERE ended_at < ${finishedBefore} AND log_location IS NULL AND id <> ALL(${[...except]}::uuid[])
    ORDER BY ended_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Replaces the lines of logs by the files that have them. @throws if the database has other lines; nothing may be committed then */
export async function replaceByLogFiles(tx: Transaction, logs: readonly ArchivedLog[]): Promise<void> {
  const runIds = logs.map(({ runId }) => runId);
  const recorded = await tx.$executeRaw`
    UPDATE runs r SET log_location = x.location
    FROM unnest(${runIds}::uuid[], ${logs.map(({ location }) => location)}::text[]) AS x(run_id, location)
    WHERE r.id = x.run_id AND r.ended_at IS NOT NULL AND r.log_location IS NULL`;
  const removed = await tx.$executeRaw`
    DELETE FROM run_logs l
    USING unnest(${runIds}::uuid[], ${logs.map(({ lastSequence }) => lastSequence)}::bigint[]) AS x(run_id, last)
    WHERE l.run_id = x.run_id AND l.sequence <= x.last`;
  const lines = logs.reduce((sum, log) => sum + log.lines, 0);
  if (recorded !== logs.length || removed !== lines)
    throw new Error(
      `The logs of ${logs.length} runs changed while they were written to files: ${recorded} runs and ${removed} instead of ${lines} lines were found. Nothing was removed.`,
    );
}
