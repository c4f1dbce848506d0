import type { Server, ServerResponse } from 'node:http';
import { IdleSignal } from '../../process/idle-signal.ts';

/** Shuts a server down gracefully: `/readyz` reports it, and requests are answered until it closes. */
export class Drain {
  private readonly active = new Set<ServerResponse>();
  private readonly idleSignal = new IdleSignal();
  private draining = false;

  get started(): boolean {
    return this.draining;
  }

  /** From now on `/readyz` answers 503, and connections aren't reused for further requests. */
  start(): void {
    this.draining = true;
  }

  /** Call this before the server receives its first request. */
  watch(server: Server): void {
    server.prependListener('request', (_req, res) => {
      if (this.draining) res.setHeader('Connection', 'close');
      this.active.add(res);
      res.once('close', () => {
        this.active.delete(res);
        if (this.active.size === 0) this.idleSignal.send();
      });
    });
  }

  /** Resolves when no request is active, or after `ms`. */
  async idle(ms: number): Promise<void> {
    if (this.active.size > 0) await this.idleSignal.wait(ms);
  }
}
