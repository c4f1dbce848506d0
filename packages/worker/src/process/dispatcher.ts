import { Slots } from '@svc/core/workers';
import { queryQueue, WORK_QUEUES, type WorkQueue } from '@svc/db/leases';
import { isLong, type NewQuery, type StartedQuery, type StoredQuery, unstoredClaim } from '@svc/db/queries';
import type { ActiveClaim, Claims, WorkSlot } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { PollQueue } from '../work/poll-queue.ts';
import { SlotsTakenError } from '../work/slots-taken.ts';
import { StatementSlots } from '../work/statement-slots.ts';
import { UnstoredQuery } from '../work/unstored-query.ts';
import { WaitingQueries } from '../work/waiting-queries.ts';
import { performWork } from './perform-work.ts';

/** Maximum deploys and runs per worker. `SVC_WORKER__CONCURRENCY` limits their tasks and queries. */
const MAX_DEPLOYS = 2;
const MAX_RUNS = 100;
/** Maximum tables that one worker maintains at once besides its statements; nobody waits for maintenance. */
const MAX_MAINTENANCE = 1;
const GRACE_MS = 10_000;
/** How long a query may run before it is stored, so that lists show it and everyone can cancel it. */
const UNSTORED_MS = 200;
/** How long it may wait for a slot before that. Then it joins the queue, from which other workers can take it. */
const MAX_WAIT_MS = 1000;

/** Claims work while slots are free, and performs it. */
export class Dispatcher {
  private readonly deps: WorkerDeps;
  private readonly claims: Claims;
  private readonly lease: { readonly owner: string; readonly leaseMs: number };
  private readonly running = new Set<Promise<void>>();
  private readonly statements: StatementSlots;
  private readonly slots: Record<'maintenance' | 'deploys' | 'runs', Slots>;
  /** Tasks have their own slots: a Python task waits for its queries, so it must not occupy a slot they need. */
  private readonly tasks: Slots;
  private readonly pollQueue: PollQueue;
  private readonly waitingQueries = new WaitingQueries();
  private readonly wake: () => void;
  private stopping = false;

  /** @param options.wake runs `claimWork` soon */
  constructor(deps: WorkerDeps, claims: Claims, options: { leaseMs: number; pollMs: number; wake: () => void }) {
    const { leaseMs, pollMs, wake } = options;
    this.deps = deps;
    this.claims = claims;
    this.wake = wake;
    this.lease = { owner: deps.owner, leaseMs };
    this.pollQueue = new PollQueue(WORK_QUEUES, pollMs);
    const { workerConcurrency } = deps.settings;
    this.statements = new StatementSlots(workerConcurrency);
    this.tasks = new Slots(workerConcurrency);
    this.slots = {
      maintenance: new Slots(MAX_MAINTENANCE),
      deploys: new Slots(MAX_DEPLOYS),
      runs: new Slots(MAX_RUNS),
    };
  }

  /** Work was queued there, or in any queue if the notification was lost. */
  announce(queue: string | null): void {
    this.pollQueue.announce(queue);
    this.wake();
  }

  /**
   * Claims everything that is due for a poll, as far as there are slots. Queues that share slots take turns, and those that
   * got none are the first to get one next time: otherwise loads would wait for as long as long queries arrive.
   */
  async claimWork(signal: AbortSignal): Promise<Record<string, number>> {
    try {
      let queues = this.pollQueue.next();
      while (queues.length > 0) {
        const further: WorkQueue[] = [];
        for (const queue of queues) if (!signal.aborted && (await this.claimNext(queue))) further.push(queue);
        queues = further;
      }
    } finally {
      this.startWaiting();
    }
    return {};
  }

  /** Starts a query of a client that waits in this process. It takes a slot when it needs a process, and not for a cached result. */
  startQuery(query: NewQuery): StartedQuery {
    const lease = { ...this.lease, now: query.now };
    const unstored = new UnstoredQuery(this.deps, {
      ...{ query, lease, momentMs: UNSTORED_MS },
      onCancelled: () => claim.stop('cancelled'),
    });
    const claim = this.claims.add('queries', { ...unstoredClaim(query, lease), unstored });
    let taking: Promise<void> | undefined;
    claim.takeSlot = () => {
      taking ??= this.takeSlot(claim, unstored, query);
      return taking;
    };
    const finished = new Promise<StoredQuery | undefined>((resolve) => {
      claim.onFinished = resolve;
    });
    this.execute(claim);
    if (this.stopping) claim.stop('shutting-down');
    return { stored: unstored.stored, finished };
  }

  /** A short query waits for its slot in memory. Queries that already wait, there or in the queue, go first. */
  private async takeSlot(claim: ActiveClaim, unstored: UnstoredQuery, query: NewQuery): Promise<void> {
    const long = isLong(query);
    const queue = queryQueue(long);
    const isFirst = !this.pollQueue.mayHaveWork(queue) && (long || this.waitingQueries.size === 0);
    const free = isFirst ? this.acquire(queue) : null;
    if (free !== null) {
      claim.slot = free;
      return;
    }
    if (long || this.stopping) throw new SlotsTakenError(long);
    unstored.pause();
    if (!(await this.waitingQueries.wait(claim, MAX_WAIT_MS))) throw new SlotsTakenError(long);
    unstored.resume(this.deps.clock());
  }

  /** Lets active work run for a while, then stops the rest and waits for it. */
  async stop(): Promise<void> {
    this.waitingQueries.clear();
    await waitUpTo(this.running, GRACE_MS);
    this.stopping = true;
    for (const claim of this.claims.all()) claim.stop('shutting-down');
    await Promise.all(this.running);
  }

  /** Returns whether another poll may find more. */
  private async claimNext(queue: WorkQueue): Promise<boolean> {
    const slot = this.acquire(queue);
    if (slot === null) {
      this.pollQueue.markWithoutSlot(queue);
      return false;
    }
    const claim = await this.claims.claim(queue).catch((error: unknown) => {
      slot.release();
      throw error;
    });
    if (claim === null) {
      slot.release();
      return false;
    }
    claim.slot = slot;
    this.execute(claim);
    return claim.hasMore !== false;
  }

  private acquire(queue: WorkQueue): WorkSlot | null {
    if (queue === 'queries') return this.statements.tryAcquire(false);
    // A load takes time, like a long query.
    if (queue === 'long-queries' || queue === 'writes') return this.statements.tryAcquire(true);
    const slots = this.slots[queue];
    return slots.tryAcquire() ? slots : null;
  }

  private execute(claim: ActiveClaim): void {
    const work = performWork(this.deps, claim, this.tasks).finally(() => {
      this.claims.remove(claim);
      this.running.delete(work);
      if (claim.slot !== undefined) this.free(claim.slot);
      claim.onFinished?.();
    });
    this.running.add(work);
  }

  private free(slot: WorkSlot): void {
    slot.release();
    if (this.pollQueue.slotFreed()) this.wake();
    else this.startWaiting();
  }

  /** Starts queries that wait in memory. Those in the queue have waited longer, and got their slots before. */
  private startWaiting(): void {
    while (this.waitingQueries.size > 0) {
      const slot = this.acquire('queries');
      if (slot === null) return;
      this.waitingQueries.startNext(slot, this.runningBySubmitter());
    }
  }

  private runningBySubmitter(): ReadonlyMap<string, number> {
    const running = new Map<string, number>();
    for (const { query, slot } of this.claims.all())
      if (query !== undefined && slot !== undefined)
        running.set(query.submitter_id, (running.get(query.submitter_id) ?? 0) + 1);
    return running;
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
