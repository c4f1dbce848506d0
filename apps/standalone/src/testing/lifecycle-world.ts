import { startTestServer, type TestServer } from '@svc/api/testing';
import { idSource } from '@svc/core/ids';
import type { Settings } from '@svc/core/settings';
import { inTransaction } from '@svc/db/connection';
import { acquireLeaderLease, type LeaderLease } from '@svc/db/leases';
import { recordReads } from '@svc/db/tables';
import { deleteDue, type SweepDeps } from '@svc/worker/drops';
import { expireTables } from '@svc/worker/retention';
import type { WorkStep } from '@svc/worker/work';
import { pino } from 'pino';

const DAY_MS = 86_400_000;

/** The error that ends a sweep in a test. */
export class KilledError extends Error {}

/** The API and the sweep on a real database and a real disk, with a clock that the test moves. */
export class LifecycleWorld {
  now = new Date('2026-03-01T08:00:00.000Z');
  server!: TestServer;
  lease!: LeaderLease;
  readonly newId = idSource(
    () => this.now.getTime(),
    (n) => crypto.getRandomValues(new Uint8Array(n)),
  );

  static async open(): Promise<LifecycleWorld> {
    const world = new LifecycleWorld();
    world.server = await startTestServer({ clock: () => world.now });
    world.lease = await world.acquireLease();
    return world;
  }

  close(): Promise<void> {
    return this.server.stop();
  }

  /** A sweep of a new worker: the previous holder's fence is invalid. */
  async acquireLease(): Promise<LeaderLease> {
    const lease = { name: 'scheduler', holder: this.newId(), now: this.now, leaseMs: 1 };
    this.now = new Date(this.now.getTime() + 2);
    return (await acquireLeaderLease(this.prisma, { ...lease, now: this.now }))!;
  }

  get prisma(): TestServer['db']['prisma'] {
    return this.server.db.prisma;
  }

  get deps(): SweepDeps {
    const { db, store, settings } = this.server;
    return { db, store, settings, clock: () => this.now, newId: this.newId, log: pino({ level: 'silent' }) };
  }

  /** Changes settings of the API and the sweep. */
  set(changed: Partial<Settings>): void {
    Object.assign(this.server.settings, changed);
  }

  pass(days: number): void {
    this.now = new Date(this.now.getTime() + days * DAY_MS);
  }

  /** One complete sweep; with a step, it dies when it first reaches the step. */
  async sweep({ killAt, lease = this.lease }: { killAt?: WorkStep; lease?: LeaderLease } = {}) {
    const { signal } = new AbortController();
    const step = async (at: WorkStep) => {
      if (at === killAt) throw new KilledError(at);
    };
    const deps = { ...this.deps, step };
    const expired = await expireTables(deps, lease, signal);
    return { expired, ...(await deleteDue(deps, lease, signal)) };
  }

  /** A response with the expected status; returns the body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  async call(status: number, method: string, path: string, body?: unknown, options: object = {}): Promise<any> {
    const answer = await this.server.call(method, `/api/v1${path}`, {
      ...(body === undefined ? {} : { body }),
      ...options,
    });
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  async environment(name: string, namespaces: readonly string[] = ['shop']): Promise<void> {
    await this.call(201, 'POST', '/environments', { name });
    for (const path of namespaces) await this.call(201, 'POST', `/environments/${name}/namespaces`, { path });
  }

  /** A managed table with `files` data files besides its metadata. */
  async table(env: string, name: string, options: { files?: number; body?: object } = {}) {
    const [namespace, table] = name.split('.');
    const body = { name: table, columns: [{ name: 'id', type: 'long' }], ...options.body };
    const made = await this.call(201, 'POST', `/environments/${env}/namespaces/${namespace}/tables`, body);
    for (let i = 0; i < (options.files ?? 1); i++)
      await this.server.store.write(`${made.location}/data/${i}.parquet`, Buffer.from('rows'));
    return made;
  }

  async person(name: string): Promise<string> {
    await this.call(201, 'POST', '/principals', { name, type: 'person' });
    return (await this.call(201, 'POST', `/principals/${name}/tokens`, { name: 'test' })).token;
  }

  async read(tableId: string): Promise<void> {
    const principal = await this.prisma.principal.findFirstOrThrow({ where: { name: 'admin' } });
    await inTransaction(this.server.db, (tx) =>
      recordReads(tx, { tableIds: [tableId], principalId: principal.id, now: this.now }),
    );
  }

  /** The number of files below a folder. */
  async files(location: string): Promise<number> {
    let count = 0;
    for await (const _ of this.server.store.list(location)) count++;
    return count;
  }

  /** Details of the events of a type about a table or in an environment, oldest first. */
  async events(type: string, where: { environment?: string; tableId?: string } = {}) {
    const rows = await this.prisma.auditEvent.findMany({ where: { type }, orderBy: [{ time: 'asc' }, { id: 'asc' }] });
    return rows
      .map((row) => ({
        principal: row.principal,
        object: row.object as { environment: string; table: string | null },
        // biome-ignore lint/suspicious/noExplicitAny: details of every type
        detail: row.detail as any,
      }))
      .filter(({ object, detail }) => {
        if (where.environment !== undefined && object.environment !== where.environment) return false;
        return where.tableId === undefined || detail.table_id === where.tableId;
      });
  }
}
