import type { ObjectStore } from '../storage/index.ts';
import { EngineChild, sweepChildFolders } from './child-process.ts';

/** How much one query or load may use. */
export type SandboxLimits = {
  /** Bytes of memory of the whole process; past it the process is killed. The engine itself spills to disk earlier. */
  readonly memoryLimit: number;
  readonly timeoutMs: number;
  /** Threads of one child. */
  readonly threads: number;
  /** Bytes one child may spill to disk. */
  readonly tempLimit: number;
};

export type SandboxOptions = SandboxLimits & {
  readonly store: ObjectStore;
  /** Folder for the children's temporary files. */
  readonly tempDir: string;
  /** Children kept started and waiting; a cold start costs a good part of a second. */
  readonly spares: number;
};

const REFILL_AFTER_MS = 1000;

/**
 * Hands out single-use children and keeps spares. Nothing is started before the first use or `warm`. `close` ends the
 * spares; children handed out are disposed of by whoever took them.
 */
export class Sandbox {
  readonly options: SandboxOptions;
  private spares: Promise<EngineChild>[] = [];
  private readonly taken = new Set<EngineChild>();
  private closed = false;
  private swept: Promise<void> | undefined;

  constructor(options: SandboxOptions) {
    this.options = options;
  }

  /** Starts the spares and waits until they are ready. */
  async warm(): Promise<void> {
    this.refill();
    await Promise.all(this.spares.map(async (spare) => (await spare).ready));
  }

  /** Runs `work` with a child of its own, which is killed at the end. */
  async withChild<R>(work: (child: EngineChild) => Promise<R>): Promise<R> {
    const child = await this.take();
    this.taken.add(child);
    // A new spare starts when this work is done or takes long: its start would slow down a short query.
    const refill = setTimeout(() => this.refill(), REFILL_AFTER_MS);
    try {
      return await work(child);
    } finally {
      clearTimeout(refill);
      // Nobody has to wait for the end of the process; `close` does.
      void child.dispose().finally(() => {
        this.taken.delete(child);
        this.refill();
      });
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const spares = this.spares;
    this.spares = [];
    await Promise.all([...spares, ...this.taken].map(async (child) => (await child).dispose()));
  }

  private async take(): Promise<EngineChild> {
    if (this.closed) throw new Error('The query engine has been shut down.');
    let child: EngineChild | undefined;
    while (!child && this.spares.length > 0) {
      const spare = await this.spares.shift()!;
      if (spare.alive) child = spare;
      else await spare.dispose();
    }
    return child ?? this.start();
  }

  private refill(): void {
    while (!this.closed && this.spares.length < this.options.spares) this.spares.push(this.start());
  }

  private async start(): Promise<EngineChild> {
    this.swept ??= sweepChildFolders(this.options.tempDir);
    await this.swept;
    return EngineChild.start(this.options.tempDir, this.options.threads);
  }
}
