import { WORK_KINDS, type WorkKind } from '@svc/db/leases';
import type { QuerySlot } from '@svc/db/queries';
import type { ActiveClaim, Claims } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { PollQueue } from '../work/poll-queue.ts';
import { Slots } from '../work/slots.ts';
import { performWork } from './perform-work.ts';

/** Maximum deploys and runs per worker. `SVC_WORKER__CONCURRENCY` limits their tasks and queries. */
const MAX_DEPLOYS = 2;
const MAX_RUNS = 100;
/** Maximum tables that one worker maintains at once besides its statements; nobody waits for maintenance. */
const MAX_MAINTENANCE = 1;
const GRACE_MS = 10_000;

/** Claims work while slots are free, and performs it. */
export class Dispatcher {
  private readonly deps: WorkerDeps;
  private readonly claims: Claims;
  private readonly lease: QuerySlot['lease'];
  private readonly running = new Set<Promise<void>>();
  private readonly slots: Record<WorkKind, Slots>;
  /** Tasks have their own slots: a Python task waits for its queries, so it must not occupy a slot they need. */
  private readonly tasks: Slots;
  private readonly pollQueue: PollQueue;
  private readonly wake: () => void;
  private stopping = false;

  /** @param options.wake runs `claimWork` soon */
  constructor(deps: WorkerDeps, claims: Claims, options: { leaseMs: number; pollMs: number; wake: () => void }) {
    const { leaseMs, pollMs, wake } = options;
    this.deps = deps;
    this.claims = claims;
    this.wake = wake;
    this.lease = { owner: deps.owner, leaseMs };
    this.pollQueue = new PollQueue(WORK_KINDS, pollMs);
    const { workerConcurrency } = deps.settings;
    const statements = new Slots(workerConcurrency);
    this.tasks = new Slots(workerConcurrency);
    this.slots = {
      queries: statements,
      writes: statements,
      maintenance: new Slots(MAX_MAINTENANCE),
      deploys: new Slots(MAX_DEPLOYS),
      runs: new Slots(MAX_RUNS),
    };
  }

  /** Work of this kind was queued, or of any kind if the notification was lost. */
  announce(kind: string | null): void {
    this.pollQueue.announce(kind);
    this.wake();
  }

  /** Claims everything that is due for a poll, as far as there are slots. */
  async claimWork(signal: AbortSignal): Promise<Record<string, number>> {
    for (const kind of this.pollQueue.next()) while (!signal.aborted && (await this.claimNext(kind)));
    return {};
  }

  /** For a query that the API of this process is storing now; null if queries that already wait go first. */
  reserveQuerySlot(): QuerySlot | null {
    if (this.pollQueue.mayHaveWork('queries') || !this.slots.queries.tryAcquire()) return null;
    return {
      lease: this.lease,
      start: (claim) =>
        new Promise((onFinished) => {
          const activeClaim = this.claims.add('queries', { ...claim, onFinished });
          this.execute(activeClaim);
          if (this.stopping) activeClaim.stop('shutting-down');
        }),
      release: () => this.free('queries'),
    };
  }

  /** Lets active work run for a while, then stops the rest and waits for it. */
  async stop(): Promise<void> {
    await waitUpTo(this.running, GRACE_MS);
    this.stopping = true;
    for (const claim of this.claims.all()) claim.stop('shutting-down');
    await Promise.all(this.running);
  }

  /** Returns whether another poll may find more. */
  private async claimNext(kind: WorkKind): Promise<boolean> {
    const slots = this.slots[kind];
    if (!slots.tryAcquire()) {
      this.pollQueue.markWithoutSlot(kind);
      return false;
    }
    const claim = await this.claims.claim(kind).catch((error: unknown) => {
      slots.release();
      throw error;
    });
    if (claim === null) {
      slots.release();
      return false;
    }
    this.execute(claim);
    return claim.hasMore !== false;
  }

  private execute(claim: ActiveClaim): void {
    const work = performWork(this.deps, claim, this.tasks).finally(() => {
      this.claims.remove(claim);
      this.running.delete(work);
      this.free(claim.kind);
      claim.onFinished?.();
    });
    this.running.add(work);
  }

  private free(kind: WorkKind): void {
    this.slots[kind].release();
    if (this.pollQueue.slotFreed()) this.wake();
  }
}

async function waitUpTo(running: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.allSettled([...running]), late]);
  clearTimeout(timer);
}
