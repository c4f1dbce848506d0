import type { Server, ServerResponse } from 'node:http';

/** The end of a server: `/readyz` reports it, requests under way are answered, and new ones are until then. */
export class Drain {
  private readonly active = new Set<ServerResponse>();
  private whenIdle: (() => void) | undefined;
  private begun = false;

  get started(): boolean {
    return this.begun;
  }

  /** From now on `/readyz` answers 503, and no connection is used for another request. */
  start(): void {
    this.begun = true;
  }

  /** To be called before the server gets its first request. */
  watch(server: Server): void {
    server.prependListener('request', (_req, res) => {
      if (this.begun) res.setHeader('Connection', 'close');
      this.active.add(res);
      res.once('close', () => {
        this.active.delete(res);
        if (this.active.size === 0) this.whenIdle?.();
      });
    });
  }

  /** Resolves when no request is under way, at the latest after `ms`. */
  async idle(ms: number): Promise<void> {
    if (this.active.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
