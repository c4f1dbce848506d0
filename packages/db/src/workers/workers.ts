import type { ReportedLimits, TaskIsolation, TaskNetworkKind, Worker } from '@svc/core/workers';
import { jsonText, type Transaction } from '../connection/index.ts';

export interface WorkerReport {
  id: string;
  host: string;
  startedAt: Date;
  isolation: TaskIsolation;
  network: TaskNetworkKind;
  limits: ReportedLimits;
  notes: readonly string[];
}

/** A worker without a report for this long is considered gone. */
const STALE_MS = 60_000;
/** The record of a worker that never announced its shutdown is removed after this time. */
const REMOVE_MS = 86_400_000;

/** Stores a worker's report and removes the records of workers that are long gone. */
export async function reportWorker(client: Transaction, report: WorkerReport, now: Date): Promise<void> {
  const { id, host, startedAt, isolation, network, limits, notes } = report;
  await client.$executeRaw`
    INSERT INTO workers (id, host, started_at, seen_at, isolation, task_network, task_limits, notes)
    VALUES (${id}::uuid, ${host}, ${startedAt}, ${now}, ${isolation}, ${network}, ${jsonText(limits)}::jsonb, ${[...notes]})
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`;
  await client.$executeRaw`DELETE FROM workers WHERE seen_at < ${new Date(now.getTime() - REMOVE_MS)}`;
}

export async function removeWorker(client: Transaction, id: string): Promise<void> {
  await client.worker.deleteMany({ where: { id } });
}

interface StoredWorker extends Omit<Worker, 'started_at' | 'seen_at'> {
  started_at: Date;
  seen_at: Date;
}

/** Lists the workers that reported recently, by host. */
export async function listWorkers(client: Transaction, now: Date): Promise<Worker[]> {
  const rows = await client.$queryRaw<StoredWorker[]>`
    SELECT id, host, started_at, seen_at, isolation, task_network, task_limits, notes FROM workers
    WHERE seen_at >= ${new Date(now.getTime() - STALE_MS)} ORDER BY host COLLATE "C", id`;
  return rows.map(({ started_at, seen_at, ...row }) => ({
    ...row,
    started_at: started_at.toISOString(),
    seen_at: seen_at.toISOString(),
  }));
}
