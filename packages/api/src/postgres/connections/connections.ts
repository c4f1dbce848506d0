import { timingSafeEqual } from 'node:crypto';
import type { Settings } from '@svc/core/settings';
import { IdleSignal } from '../../process/idle-signal.ts';
import { fatal } from '../sessions/session-error.ts';

/** A connection as the others see it. */
export interface OpenConnection {
  readonly pid: number;
  /** Which cancel requests must know. */
  readonly key: Uint8Array;
  /** Cancels the statement that runs. */
  readonly cancel: () => void;
  readonly drain: () => void;
  readonly close: () => void;
}

/** The connections of this process, and their limits. */
export class Connections {
  private readonly open = new Map<number, OpenConnection>();
  private readonly byPrincipal = new Map<string, number>();
  private readonly limits: Pick<Settings, 'sqlConnections' | 'sqlConnectionsPerPrincipal'>;
  private lastPid = 0;
  private admitted = 0;
  private draining = false;
  private readonly idleSignal = new IdleSignal();

  constructor(limits: Pick<Settings, 'sqlConnections' | 'sqlConnectionsPerPrincipal'>) {
    this.limits = limits;
  }

  get isDraining(): boolean {
    return this.draining;
  }

  /** A number that no open connection has. */
  newPid(): number {
    do this.lastPid = (this.lastPid % MAX_PID) + 1;
    while (this.open.has(this.lastPid));
    return this.lastPid;
  }

  /** From its first byte, so that a service that stops closes it. It must be removed later. */
  add(connection: OpenConnection): void {
    this.open.set(connection.pid, connection);
  }

  remove({ pid }: Pick<OpenConnection, 'pid'>): void {
    this.open.delete(pid);
    if (this.open.size === 0) this.idleSignal.send();
  }

  /**
   * Counts a connection of a principal that has signed in, until the returned function is called.
   *
   * @throws SessionError if there are too many, or the principal has too many
   */
  admit(principal: string): () => void {
    if (this.draining) throw fatal('57P03', 'the service is stopping');
    if (this.admitted >= this.limits.sqlConnections)
      throw fatal('53300', 'too many connections', 'Close some, or raise SVC_SQL__CONNECTIONS.');
    const count = this.byPrincipal.get(principal) ?? 0;
    if (count >= this.limits.sqlConnectionsPerPrincipal)
      throw fatal(
        '53300',
        `too many connections for "${principal}"`,
        'Close some, or raise SVC_SQL__CONNECTIONS_PER_PRINCIPAL.',
      );
    this.byPrincipal.set(principal, count + 1);
    this.admitted++;
    return () => {
      this.admitted--;
      const left = this.byPrincipal.get(principal)! - 1;
      if (left === 0) this.byPrincipal.delete(principal);
      else this.byPrincipal.set(principal, left);
    };
  }

  /** Cancels the statement of a connection, if the key is the right one. */
  cancel(pid: number, key: Uint8Array): void {
    const found = this.open.get(pid);
    if (found !== undefined && key.length === found.key.length && timingSafeEqual(key, found.key)) found.cancel();
  }

  drain(): void {
    this.draining = true;
    for (const connection of this.open.values()) connection.drain();
  }

  /** Resolves when no connection is open, or after `ms`. */
  async idle(ms: number): Promise<void> {
    if (this.open.size > 0) await this.idleSignal.wait(ms);
  }

  closeAll(): void {
    for (const connection of this.open.values()) connection.close();
  }
}

const MAX_PID = 2 ** 31 - 1;
