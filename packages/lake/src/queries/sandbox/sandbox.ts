import type { ObjectStore } from '../../storage/index.ts';
import { LayoutCache } from '../relations/layout-cache.ts';
import { Syntax } from '../statement/syntax.ts';
import { EngineChild, sweepChildFolders } from './child-process.ts';
import type { SandboxLimits } from './limits.ts';

export type SandboxOptions = SandboxLimits & {
  readonly store: ObjectStore;
  /** Folder for the children's temporary files. */
  readonly tempDir: string;
  /** Number of preforked children that wait for the next caller. */
  readonly prefork: number;
};

const REFILL_AFTER_MS = 1000;
/** How long a child waits for its owner's next query, and how many children may wait. */
const KEPT_MS = 10_000;
const MAX_IDLE = 2;
/**
 * The engine is renewed slightly later, because the caller that waits for the response needs the processor first: after
 * a fifth of the work's duration, within these bounds. A short query may follow at once; a load must commit first.
 */
const RENEW_AFTER_MS = { min: 10, max: 200 };
/** If no query arrives within this time, the fresh engine warms up, because its first query is slower. */
const WARM_UP_AFTER_MS = 100;
/** Bytes of memory; a child that uses more isn't retained. */
const KEPT_MEMORY = 350 * 1024 * 1024;

const shutDown = () => new Error('The query engine has been shut down.');

interface Kept {
  readonly child: EngineChild;
  /** Renews its engine once and waits for pending work; false if the child must not be reused. */
  readonly renew: () => Promise<boolean>;
  readonly timers: readonly NodeJS.Timeout[];
}

function keptChild(child: EngineChild, workedMs: number, letGo: () => void): Kept {
  let renewed: Promise<boolean> | undefined;
  const renew = () => {
    renewed ??= child.renew().then(
      (memory) => memory <= KEPT_MEMORY,
      () => false,
    );
    return renewed;
  };
  const warmUpLater = () => {
    renewed = renew().then((fit) => fit && succeeds(child.send({ op: 'warmUp' })));
  };
  const pause = Math.min(Math.max(workedMs / 5, RENEW_AFTER_MS.min), RENEW_AFTER_MS.max);
  const timers = [
    setTimeout(renew, pause),
    setTimeout(warmUpLater, pause + WARM_UP_AFTER_MS),
    setTimeout(letGo, KEPT_MS).unref(),
  ];
  return { child, renew, timers };
}

const succeeds = (done: Promise<unknown>): Promise<boolean> =>
  done.then(
    () => true,
    () => false,
  );

const startedOrNull = (preforked: Promise<EngineChild>): Promise<EngineChild | null> => preforked.catch(() => null);

function stopTimers({ timers }: Kept): void {
  for (const timer of timers) clearTimeout(timer);
}

/**
 * Assigns children and preforks idle ones. A child serves at most one owner, one query at a time, each with its own
 * engine; without an owner it serves one query. Nothing starts before the first use or `warm`. `close` stops the
 * preforked and retained children; callers dispose of the children they took.
 */
export class Sandbox {
  readonly options: SandboxOptions;
  /** The cached columns of files. */
  readonly layouts = new LayoutCache();
  /** The cached parse results of statements. */
  readonly syntax = new Syntax();
  private prefork: Promise<EngineChild>[] = [];
  private readonly taken = new Set<EngineChild>();
  private readonly kept = new Map<string, Kept>();
  private readonly disposing = new Set<EngineChild>();
  private refilling: NodeJS.Timeout | undefined;
  private closed = false;
  private swept: Promise<void> | undefined;

  constructor(options: SandboxOptions) {
    this.options = options;
  }

  /** Number of processes: working, retained, preforked and shutting down. */
  get children(): number {
    return this.taken.size + this.kept.size + this.prefork.length + this.disposing.size;
  }

  /**
   * Preforks children and waits until each is ready or taken. A query's outcome concerns only that query.
   *
   * @throws ChildExitedError if a preforked child exits by itself
   */
  async warm(): Promise<void> {
    this.refill();
    await Promise.all(
      this.prefork.map(async (preforked) => {
        const ready = preforked.then((child) => child.ready);
        await ready.catch((error: unknown) => {
          if (this.prefork.includes(preforked)) throw error;
        });
      }),
    );
  }

  /**
   * Runs `work` with a child of its own.
   *
   * @param owner the principal to work for; the child then waits a while for the owner's next query instead of being
   * killed, because a start takes a considerable part of a second
   */
  async withChild<R>(work: (child: EngineChild) => Promise<R>, owner?: string): Promise<R> {
    const child = (owner === undefined ? null : await this.takeKept(owner)) ?? (await this.takePreforked());
    if (this.closed) {
      await child.dispose();
      throw shutDown();
    }
    this.taken.add(child);
    child.serve(owner);
    // Prefork the next child when this work finishes or takes long: a start now would slow down a short query.
    this.refillSoon();
    const began = performance.now();
    try {
      return await work(child);
    } finally {
      this.taken.delete(child);
      if (owner === undefined || !this.keep(owner, child, performance.now() - began)) this.dispose(child);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.refilling);
    const prefork = this.prefork;
    this.prefork = [];
    const kept = [...this.kept.values()];
    this.kept.clear();
    kept.forEach(stopTimers);
    const started = await Promise.all(prefork.map(startedOrNull));
    const all = [...started, ...this.taken, ...this.disposing, ...kept.map(({ child }) => child)];
    await Promise.all(all.map((child) => child?.dispose()));
  }

  /** No caller needs to wait until the process exits; `close` does. */
  private dispose(child: EngineChild): void {
    this.disposing.add(child);
    // A folder that can't be removed now is removed by `sweepChildFolders` after the next start.
    const disposed = child.dispose().catch(() => undefined);
    void disposed.then(() => {
      this.disposing.delete(child);
      this.refill();
    });
  }

  private keep(owner: string, child: EngineChild, workedMs: number): boolean {
    if (this.closed || !child.alive || this.kept.has(owner)) return false;
    for (const oldest of [...this.kept.keys()].slice(0, this.kept.size - MAX_IDLE + 1)) this.drop(oldest);
    const letGo = () => this.drop(owner);
    this.kept.set(owner, keptChild(child, workedMs, letGo));
    return true;
  }

  private drop(owner: string): void {
    const kept = this.kept.get(owner)!;
    stopTimers(kept);
    this.kept.delete(owner);
    this.dispose(kept.child);
  }

  private async takeKept(owner: string): Promise<EngineChild | null> {
    const kept = this.kept.get(owner);
    if (kept === undefined) return null;
    stopTimers(kept);
    this.kept.delete(owner);
    if ((await kept.renew()) && kept.child.alive) return kept.child;
    this.dispose(kept.child);
    return null;
  }

  private async takePreforked(): Promise<EngineChild> {
    if (this.closed) throw shutDown();
    let child: EngineChild | undefined;
    while (!child && this.prefork.length > 0) {
      const preforked = await startedOrNull(this.prefork.shift()!);
      if (preforked?.alive) child = preforked;
      else if (preforked !== null) this.dispose(preforked);
    }
    return child ?? this.start();
  }

  private refillSoon(): void {
    this.refilling ??= setTimeout(() => {
      this.refilling = undefined;
      this.refill();
    }, REFILL_AFTER_MS).unref();
  }

  private refill(): void {
    while (!this.closed && this.prefork.length < this.options.prefork) {
      const preforked = this.start();
      // Reported by `warm`; otherwise the next query starts a child itself and reports the error.
      preforked.catch(() => undefined);
      this.prefork.push(preforked);
    }
  }

  private async start(): Promise<EngineChild> {
    this.swept ??= sweepChildFolders(this.options.tempDir);
    await this.swept;
    return EngineChild.start(this.options.tempDir, this.options);
  }
}
