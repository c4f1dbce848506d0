import pg from 'pg';

/** Advisory lock in the database `postgres` that each program shares while it uses an embedded server. */
const LOCK = '1937138480, 1';
const RECONNECT_AFTER_MS = 500;

/**
 * A program's claim on a shared server. The last program to leave may shut the server down. The claim is a lock of a
 * connection, so a killed program releases it automatically.
 */
export interface ServerClaim {
  /** Releases the claim. Returns true if nobody else has one, and from then on nobody can get one. */
  releaseIfLast(): Promise<boolean>;
  /** Releases the claim and leaves the server running. */
  release(): Promise<void>;
}

/**
 * Connects, claims the server, and creates `database` if it doesn't exist.
 * @param restart restarts a server that went down while in use; called until the server is back
 * @throws if the server isn't running or is shutting down
 */
export async function claimServer(url: string, database: string, restart: () => Promise<void>): Promise<ServerClaim> {
  let released = false;
  let client = await connectAndLock(url, scheduleReconnect);
  await ensureDatabase(client, database);
  setReferenced(client, false);

  // Postgres drops every connection when one of its processes crashes, and then recovers: claim it again. If the whole
  // server was killed, only the programs that use it can restart it.
  function scheduleReconnect(): void {
    if (released) return;
    setTimeout(() => {
      if (!released) reconnect().catch(scheduleReconnect);
    }, RECONNECT_AFTER_MS).unref();
  }

  async function reconnect(): Promise<void> {
    await restart();
    const replacement = await connectAndLock(url, scheduleReconnect);
    client = replacement;
    setReferenced(client, false);
    if (released) replacement.end().catch(() => {});
  }

  return {
    async releaseIfLast() {
      released = true;
      setReferenced(client, true);
      await client.query(`SELECT pg_advisory_unlock_shared(${LOCK})`);
      const { rows } = await client.query<{ last: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS last`);
      if (rows[0]?.last) {
        // Keep the exclusive lock. A program that arrives now waits, is disconnected by the shutdown, and starts a new
        // server.
        client.on('error', () => {});
        return true;
      }
      await client.end();
      return false;
    },
    async release() {
      released = true;
      setReferenced(client, true);
      await client.end().catch(() => {});
    },
  };
}

async function connectAndLock(url: string, onLost: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'svc-holder',
  });
  client.on('error', () => {});
  await client.connect();
  await client.query(`SELECT pg_advisory_lock_shared(${LOCK})`);
  client.once('end', onLost);
  return client;
}

// An idle claim must not keep the program alive, but one in use must. (The published types lack these methods.)
function setReferenced(client: pg.Client, enabled: boolean): void {
  const connection = client as pg.Client & { ref(): void; unref(): void };
  if (enabled) connection.ref();
  else connection.unref();
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (rowCount) return;
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`).catch((error: { code?: string }) => {
    // A concurrent start was faster: 42P04 is duplicate_database; 23505 occurs if both ran at the same time.
    if (error.code !== '42P04' && error.code !== '23505') throw error;
  });
}
