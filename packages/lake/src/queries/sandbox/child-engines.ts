import type { ChildRequest, DisabledOptimizers, SetAside } from './child-protocol.ts';

/** Engines that a child retains besides the active and the fresh one. */
const MAX_BOUND = 8;

/** How an engine was used. `key`: what it was confined for, if it may run another query. */
interface Use {
  readonly key: string | null;
  readonly isConfined: boolean;
}

/**
 * Which of a child's engines runs its requests. A query gets a fresh engine, or one that is bound to the query's key: one
 * that served an earlier query of the same owner, for which a fresh engine would have the same files, views and limits.
 */
export class ChildEngines {
  private readonly send: (request: ChildRequest) => Promise<unknown>;
  /** Null if the active engine is fresh. */
  private active: Use | null = null;
  /** The numbers of retained engines by key, in order of use. */
  private readonly bound = new Map<string, number>();
  private nextNumber = 1;
  /** Whether the child also has a fresh engine that isn't the active one. */
  private hasFresh = false;

  constructor(send: (request: ChildRequest) => Promise<unknown>) {
    this.send = send;
  }

  /** Opens a fresh engine unless the child has one, so that the next query that needs one needn't wait. */
  async openFresh(): Promise<void> {
    if (!this.hasFresh) await this.renew();
  }

  /** Makes a fresh engine the active one. */
  private async renew(): Promise<void> {
    if (this.active === null) return;
    const setAside = this.setAside();
    this.active = null;
    this.hasFresh = false;
    await this.send({ op: 'renew', setAside });
  }

  /** Confines the active engine, or a fresh one if it is confined already. Later requests meet the confined engine. */
  async confine(settings: string): Promise<void> {
    const renewed = this.active?.isConfined ? this.renew() : undefined;
    this.active = { key: null, isConfined: true };
    await Promise.all([renewed, this.send({ op: 'confine', settings })]);
  }

  /** Changes a fresh engine's settings for the query that confines it next. */
  async disableOptimizers(which: DisabledOptimizers): Promise<void> {
    const renewed = this.renew();
    this.active = { key: null, isConfined: false };
    await Promise.all([renewed, this.send({ op: 'disable-optimizers', which })]);
  }

  /** The active engine has run its query. If the query failed, the engine must stay unbound. */
  bind(key: string): void {
    this.active = { key, isConfined: true };
  }

  has(key: string): boolean {
    return this.active?.key === key || this.bound.has(key);
  }

  /** Makes the engine that is bound to the key the active one, and unbinds it. Returns whether there was one. */
  async use(key: string): Promise<boolean> {
    const isActive = this.active?.key === key;
    const engine = this.bound.get(key);
    if (!isActive && engine === undefined) return false;
    const setAside = isActive ? null : this.setAside();
    this.active = { key: null, isConfined: true };
    if (isActive) return true;
    this.bound.delete(key);
    await this.send({ op: 'use', engine: engine!, setAside });
    return true;
  }

  /** Called between two queries. Changes to the active engine's settings were for the earlier one. */
  finishWork(): void {
    if (this.active !== null) this.active = { ...this.active, isConfined: true };
    for (const [key, engine] of [...this.bound].slice(0, Math.max(0, this.bound.size - MAX_BOUND))) {
      this.bound.delete(key);
      this.send({ op: 'forget', engine }).catch(() => undefined);
    }
  }

  private setAside(): SetAside {
    if (this.active === null) {
      this.hasFresh = true;
      return 'fresh';
    }
    const { key } = this.active;
    if (key === null || this.bound.has(key)) return null;
    const engine = this.nextNumber++;
    this.bound.set(key, engine);
    return engine;
  }
}
