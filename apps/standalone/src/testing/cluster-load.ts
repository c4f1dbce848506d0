import { PersistentCaller } from './persistent-caller.ts';
import type { Call } from './rest.ts';

const E = '/environments/dev';
const DONE = ['SUCCEEDED', 'FAILED', 'CANCELLED'];

/** The rows that each statement and run adds. */
export const ROWS = 20;

const BETWEEN_COMPACTIONS = 10;

/** What loops of statements and runs wrote, while processes below them were killed. */
export class ClusterLoad {
  /** Batches of rows by their numbers: whether their statement succeeded. */
  readonly appended = new Map<number, boolean>();
  readonly inserted = new Map<number, boolean>();
  /** How many UPDATE statements succeeded, and how many tasks of runs. */
  updates = 0;
  tasks = 0;
  compactions = 0;
  /** How often statements and runs failed, by their codes. */
  readonly failures = new Map<string, number>();
  readonly caller: PersistentCaller;
  private readonly watching = new Set<() => void>();
  private stopping = false;
  private finished: Promise<unknown> = Promise.resolve();

  constructor(call: Call) {
    this.caller = new PersistentCaller(call);
  }

  start(): void {
    this.stopping = false;
    const loops = [() => this.append(), () => this.insert(), () => this.update(), () => this.run()];
    this.finished = Promise.all(
      loops.map(async (act) => {
        while (!this.stopping) {
          await act();
          for (const watch of this.watching) watch();
        }
      }),
    );
    this.finished.catch(() => {});
  }

  /** Resolves after the next statement or run. @throws what a loop threw */
  async next(): Promise<void> {
    let done = () => {};
    const passed = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.watching.add(done);
    await Promise.race([passed, this.finished]);
    this.watching.delete(done);
  }

  /** Waits until each loop has its outcome. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.finished;
  }

  private async append(): Promise<void> {
    const batch = this.appended.size;
    const sql = `SELECT k, ${batch} AS batch FROM q.source`;
    this.appended.set(batch, await this.succeeds('queries', { sql, into: 'q.appended', mode: 'append' }));
    if (batch % BETWEEN_COMPACTIONS !== 0) return;
    const path = 'namespaces/q/tables/appended/maintenance';
    if (await this.succeeds('maintenance', { compact: true }, path)) this.compactions++;
  }

  private async insert(): Promise<void> {
    const batch = this.inserted.size;
    const sql = `INSERT INTO q.inserted SELECT k, ${batch} FROM q.source`;
    this.inserted.set(batch, await this.succeeds('queries', { sql }));
  }

  private async update(): Promise<void> {
    if (await this.succeeds('queries', { sql: 'UPDATE q.counted SET n = n + 1' })) this.updates++;
  }

  /** A task can have written its rows although the run failed, because the worker was killed after it. */
  private async run(): Promise<void> {
    const run = await this.finish('runs', {}, 'jobs/grow/runs?repository=built');
    if (run.tasks[0]?.status.toUpperCase() === 'SUCCEEDED') this.tasks++;
  }

  private async succeeds(kind: 'queries' | 'maintenance', body: object, path?: string): Promise<boolean> {
    return (await this.finish(kind, body, path)).status.toUpperCase() === 'SUCCEEDED';
  }

  /** Starts work, and returns its record when it has finished. */
  private async finish(kind: 'queries' | 'runs' | 'maintenance', body: object, path: string = kind) {
    let { body: record } = await this.caller.send('POST', `${E}/${path}`, { body });
    while (!DONE.includes(record.status.toUpperCase()))
      ({ body: record } = await this.caller.send('GET', `${E}/${kind}/${record.id}?wait=10`));
    if (record.status.toUpperCase() === 'SUCCEEDED') return record;
    const failed = record.tasks?.find((task: { error: unknown }) => task.error !== null);
    // A run's own error only says that a task failed.
    const failure = `${kind}: ${(failed?.error ?? record.error)?.code ?? record.status}`;
    this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
    return record;
  }
}
