import type { LogLine } from '@svc/core/runs';
import { jsonText, type Transaction } from '../connection/index.ts';

export interface NewLogLine {
  asset: string | null;
  stream: LogLine['stream'];
  time: Date;
  line: string;
}

/** Appends lines to a run's log and wakes clients that follow it. */
export async function appendLog(
  client: Transaction,
  { runId, lines }: { runId: string; lines: readonly NewLogLine[] },
): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map((l) => ({ ...l, time: l.time.toISOString() }));
  await client.$executeRaw`
    INSERT INTO run_logs (run_id, asset, stream, time, line)
    SELECT ${runId}::uuid, asset, stream, time, line
    FROM jsonb_to_recordset(${jsonText(rows)}::jsonb) AS x(asset text, stream text, time timestamptz, line text)`;
  await client.$executeRaw`SELECT pg_notify('svc_log', ${runId})`;
}

/** Reads up to `limit` lines after a sequence number, oldest first. */
export async function readLog(
  client: Transaction,
  { runId, after, limit }: { runId: string; after: number; limit: number },
): Promise<LogLine[]> {
  const rows = await client.runLog.findMany({
    where: { run_id: runId, sequence: { gt: after } },
    orderBy: { sequence: 'asc' },
    take: limit,
  });
  return rows.map(({ sequence, time, asset, stream, line }) => ({
    sequence: Number(sequence),
    time: time.toISOString(),
    asset,
    stream: stream as LogLine['stream'],
    line,
  }));
}
