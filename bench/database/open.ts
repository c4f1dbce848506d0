import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, silent } from '@svc/db/connection';
import { startEmbedded } from '@svc/db/embedded';
import { migrate } from '@svc/db/migrate';
import pg from 'pg';

/** An embedded server of the benchmark's own, as durable as in production, with the whole schema and no rows. */
export interface BenchDatabase {
  url: string;
  db: Database;
  /** A plain connection beside it: for filling tables, for plans, and as the floor. */
  bare: pg.Client;
  close(): Promise<void>;
}

export async function openBench(options: { poolSize?: number } = {}): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const server = await startEmbedded({ dataDir: join(folder, 'postgres'), log: silent });
  await migrate(server.url);
  const db = await openDatabase({ url: server.url, log: silent, statementTimeoutMs: 0, ...options });
  const bare = new pg.Client({ connectionString: server.url });
  await bare.connect();
  const close = async () => {
    await bare.end();
    await db.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: server.url, db, bare, close };
}

/** The URL of another database of the same server. */
export function urlOf(bench: Pick<BenchDatabase, 'url'>, name: string): string {
  const url = new URL(bench.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs `work` on an open database and removes it, also after an error or Ctrl-C. */
export async function withBench(work: (bench: BenchDatabase) => Promise<void>, options = {}): Promise<void> {
  const bench = await openBench(options);
  process.once('SIGINT', () => void bench.close().finally(() => process.exit(130)));
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}
