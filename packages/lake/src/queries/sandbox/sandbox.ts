import { totalmem } from 'node:os';
import type { ObjectStore } from '../../storage/index.ts';
import { LayoutCache } from '../relations/layout-cache.ts';
import { ResultCache } from '../results/result-cache.ts';
import { StatementParser } from '../statement/statement-parser.ts';
import { type ChildFolders, sweepChildFolders } from './child-folders.ts';
import { EngineChild } from './child-process.ts';
import { sweepEngineCgroups } from './engine-cgroup.ts';
import { IdleChildren } from './idle-children.ts';
import type { SandboxLimits } from './limits.ts';

export type SandboxOptions = SandboxLimits & {
  readonly store: ObjectStore;
  /** Folder for the children's temporary files. */
  readonly tempDir: string;
  /** Folders with other files that engines read: external tables, projects, results of tasks. */
  readonly inputFolders?: readonly string[];
  /** Number of preforked children that wait for the next caller. */
  readonly prefork: number;
  /** Approximate bytes of memory for cached results (default: 0, none). */
  readonly resultCacheBytes?: number;
};

const REFILL_AFTER_MS = 1000;
/** Children that wait for their owner's next query take at most this share of the machine's memory. */
const IDLE_SHARE = 0.1;
const CHILD_BYTES = 100 * 1024 * 1024;
const MAX_IDLE = Math.min(Math.max(Math.floor((totalmem() * IDLE_SHARE) / CHILD_BYTES), 2), 32);

const shutDown = () => new Error('The query engine has been shut down.');

const startedOrNull = (preforked: Promise<EngineChild>): Promise<EngineChild | null> => preforked.catch(() => null);

/**
 * Assigns children and preforks idle ones. A child serves at most one owner, one query at a time; without an owner it
 * serves one query. Nothing starts before the first use or `warm`. `close` stops the
 * preforked and retained children; callers dispose of the children they took.
 */
export class Sandbox {
  readonly options: SandboxOptions;
  /** The cached columns of files. */
  readonly layouts = new LayoutCache();
  /** The cached parse results of statements. */
  readonly syntax = new StatementParser();
  readonly results: ResultCache;
  private prefork: Promise<EngineChild>[] = [];
  private readonly active = new Set<EngineChild>();
  private readonly idle = new IdleChildren(MAX_IDLE, (child) => this.dispose(child));
  private readonly disposing = new Set<EngineChild>();
  private refilling: NodeJS.Timeout | undefined;
  private closed = false;
  private cgroup: string | null = null;
  private swept: Promise<void> | undefined;

  constructor(options: SandboxOptions) {
    this.options = options;
    this.results = new ResultCache(options.resultCacheBytes ?? 0);
  }

  /** Lets the kernel limit the memory of children that start from now on, each in a cgroup below this folder. */
  async useCgroups(base: string): Promise<void> {
    await sweepEngineCgroups(base);
    this.cgroup = base;
  }

  /** Number of processes: working, retained, preforked and shutting down. */
  get children(): number {
    return this.active.size + this.idle.size + this.prefork.length + this.disposing.size;
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
    const child = await this.take(owner);
    const started = performance.now();
    try {
      return await work(child);
    } finally {
      this.release(child, performance.now() - started);
    }
  }

  /**
   * Takes a child: one of the owner's that waits, if possible with an engine that is bound to the key, or a new one. The
   * caller must call `release`.
   */
  async take(owner?: string, key: string | null = null): Promise<EngineChild> {
    const child = (owner === undefined ? null : await this.takeIdle(owner, key)) ?? (await this.takePreforked());
    if (this.closed) {
      await child.dispose();
      throw shutDown();
    }
    this.active.add(child);
    child.serve(owner);
    // Prefork the next child when this work finishes or takes long: a start now would slow down a short query.
    this.refillSoon();
    return child;
  }

  /** Whether a waiting child of the owner has an engine that is bound to the key. */
  hasIdle(owner: string, key: string): boolean {
    return this.idle.has(owner, key);
  }

  /** Lets a child wait for its owner's next query, or kills it. */
  release(child: EngineChild, workedMs: number): void {
    this.active.delete(child);
    if (child.owner === undefined || this.closed || !child.alive) this.dispose(child);
    else this.idle.add(child.owner, child, workedMs);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.refilling);
    const prefork = this.prefork;
    this.prefork = [];
    const idle = this.idle.clear();
    const started = await Promise.all(prefork.map(startedOrNull));
    const all = [...started, ...this.active, ...this.disposing, ...idle];
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

  private async takeIdle(owner: string, key: string | null): Promise<EngineChild | null> {
    const child = await this.idle.take(owner, key);
    if (child === null || child.canOpenFolders()) return child;
    this.dispose(child);
    return null;
  }

  private async takePreforked(): Promise<EngineChild> {
    if (this.closed) throw shutDown();
    let child: EngineChild | undefined;
    while (!child && this.prefork.length > 0) {
      const preforked = await startedOrNull(this.prefork.shift()!);
      if (preforked?.alive && preforked.canOpenFolders()) child = preforked;
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
    return EngineChild.start(this.options.tempDir, this.options, await this.folders());
  }

  private async folders(): Promise<ChildFolders> {
    const { files, stages } = await this.options.store.folders();
    return { read: [...files, ...(this.options.inputFolders ?? [])], stages, cgroup: this.cgroup };
  }
}
