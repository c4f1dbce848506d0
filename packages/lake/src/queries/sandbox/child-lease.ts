import { ChildExitedError } from './child-errors.ts';
import type { ChildSource, EngineChild } from './child-process.ts';
import type { Sandbox } from './sandbox.ts';

/** What the work of a child is limited to. */
export interface WorkLimits {
  /** Bytes of the process's own memory. */
  readonly memoryLimit: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly beforeChild?: (() => Promise<void>) | undefined;
  readonly onProgress?: ((percentage: number | null) => void) | undefined;
}

/** The child of one query, taken when it is first needed and watched from then on. The holder must call `end`. */
export class ChildLease implements ChildSource {
  readonly owner: string | undefined;
  private readonly sandbox: Sandbox;
  private readonly limits: WorkLimits;
  private readonly started = performance.now();
  private taken: Promise<EngineChild> | undefined;
  private isReleased = false;

  constructor(sandbox: Sandbox, owner: string | undefined, limits: WorkLimits) {
    this.sandbox = sandbox;
    this.owner = owner;
    this.limits = limits;
  }

  /** The child; any of the owner's if none has been taken yet. */
  async child(): Promise<EngineChild> {
    if (this.isReleased) throw new Error('The process has been released.');
    this.taken ??= this.take(null);
    return this.taken;
  }

  /** The child, replaced if another child of the owner has an engine that is bound to the key. */
  async childFor(key: string): Promise<EngineChild> {
    if (this.taken === undefined) {
      this.taken = this.take(key);
      return this.taken;
    }
    const child = await this.taken;
    if (this.owner === undefined || child.engines.has(key) || !this.sandbox.hasIdle(this.owner, key)) return child;
    this.sandbox.release(child, 0);
    this.taken = this.take(key);
    return this.taken;
  }

  /** Releases the child. Further calls do nothing. */
  async end(): Promise<void> {
    if (this.isReleased) return;
    this.isReleased = true;
    const child = await this.taken?.catch(() => undefined);
    if (child !== undefined) this.sandbox.release(child, performance.now() - this.started);
  }

  private async take(key: string | null): Promise<EngineChild> {
    await this.limits.beforeChild?.();
    if (this.limits.signal?.aborted) throw new ChildExitedError('cancelled');
    const child = await this.sandbox.take(this.owner, key);
    const timeoutMs = Math.max(0, this.limits.timeoutMs - (performance.now() - this.started));
    child.watch({ ...this.limits, timeoutMs });
    return child;
  }
}
