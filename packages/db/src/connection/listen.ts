import pg from 'pg';
import type { Log } from './log.ts';

/**
 * Receives a notification's payload, or null if some may have been missed and the caller must check the state itself.
 */
export type Handler = (payload: string | null) => void;

/**
 * Calls `handler` for each NOTIFY on `channel` until the returned function is called. Notifications are only a wake-up:
 * after each (re)connect the handler gets null, and callers also poll.
 */
export type Listen = (channel: string, handler: Handler) => Promise<() => Promise<void>>;

/** How connections notice a machine that is gone: it closes none of them. By default, systems probe idle ones after two hours. */
export const LIVENESS = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/** Opens a dedicated connection for all channels with the first listener, and reconnects when it is lost. */
export function openListener(url: string, log: Log): { listen: Listen; close(): Promise<void> } {
  const handlers = new Map<string, Set<Handler>>();
  let client: pg.Client | null = null;
  let connecting: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  async function connect(): Promise<void> {
    const replacement = new pg.Client({
      connectionString: url,
      application_name: 'svc-listen',
      ...LIVENESS,
    });
    replacement.on('error', () => {});
    replacement.on('notification', ({ channel, payload }) => deliver(channel, payload ?? ''));
    await replacement.connect();
    for (const channel of handlers.keys()) await replacement.query(`LISTEN ${replacement.escapeIdentifier(channel)}`);
    if (closed) return void (await replacement.end());
    replacement.once('end', () => onConnectionLost(replacement));
    client = replacement;
    for (const channel of handlers.keys()) deliver(channel, null);
  }

  function onConnectionLost(lostClient: pg.Client): void {
    if (closed || client !== lostClient) return;
    client = null;
    log.warn({}, 'lost the connection that listens for notifications; polling continues');
    reconnect(FIRST_PAUSE_MS);
  }

  function reconnect(pause: number): void {
    timer = setTimeout(() => {
      connecting = connect()
        .catch(() => {
          if (!closed) reconnect(Math.min(pause * 2, MAX_PAUSE_MS));
        })
        .finally(() => {
          connecting = null;
        });
    }, pause);
    timer.unref();
  }

  function deliver(channel: string, payload: string | null): void {
    for (const handler of handlers.get(channel) ?? []) handler(payload);
  }

  async function connected(): Promise<void> {
    connecting ??= connect().finally(() => {
      connecting = null;
    });
    await connecting;
  }

  async function listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
    const existing = handlers.get(channel);
    if (existing) existing.add(handler);
    else handlers.set(channel, new Set([handler]));
    if (client && !existing) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    // Don't wait for a reconnect in progress: the handler gets null once it succeeds.
    else if (!client && !timer) {
      await connected().catch((error) => {
        handlers.get(channel)?.delete(handler);
        throw error;
      });
    }
    return () => unlisten(channel, handler);
  }

  async function unlisten(channel: string, handler: Handler): Promise<void> {
    const existing = handlers.get(channel);
    existing?.delete(handler);
    if (existing?.size !== 0) return;
    handlers.delete(channel);
    // A lost connection has no subscriptions left to cancel.
    await client?.query(`UNLISTEN ${client.escapeIdentifier(channel)}`).catch(() => {});
  }

  async function close(): Promise<void> {
    closed = true;
    if (timer) clearTimeout(timer);
    await connecting?.catch(() => {});
    await client?.end();
    client = null;
  }

  return { listen, close };
}
