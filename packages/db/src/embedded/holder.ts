import pg from 'pg';

/** Advisory lock (in the database `postgres`) that each program using an embedded server holds as shared. */
const LOCK = '1937138480, 1';
const REJOIN_AFTER_MS = 500;

/**
 * A program's claim on a shared server. The last one to leave may turn the server off; because the claim is a lock
 * of a connection, a program that was killed gives it up by itself.
 */
export interface Holder {
  /** Gives the claim up; true when nobody else has one (and nobody can get one any more). */
  leaveLast(): Promise<boolean>;
  /** Gives the claim up and leaves the server as it is. */
  leave(): Promise<void>;
}

/**
 * Connects, claims, and creates `database` when it is missing.
 * @param revive starts the server again when it has ended although it is in use; called until it is there
 * @throws when the server is not there or is going down.
 */
export async function hold(url: string, database: string, revive: () => Promise<void>): Promise<Holder> {
  let left = false;
  let client = await claim(url, rejoin);
  await ensureDatabase(client, database);
  keepAlive(client, false);

  // PostgreSQL drops every connection when one of its processes crashes, and then goes on: claim again. When it was
  // killed as a whole, those who use it have nobody else to start it.
  function rejoin(): void {
    if (left) return;
    setTimeout(() => {
      if (!left) comeBack().catch(rejoin);
    }, REJOIN_AFTER_MS).unref();
  }

  async function comeBack(): Promise<void> {
    await revive();
    const again = await claim(url, rejoin);
    client = again;
    keepAlive(client, false);
    if (left) again.end().catch(() => {});
  }

  return {
    async leaveLast() {
      left = true;
      keepAlive(client, true);
      await client.query(`SELECT pg_advisory_unlock_shared(${LOCK})`);
      const { rows } = await client.query<{ last: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS last`);
      if (rows[0]?.last) {
        // Keep the exclusive lock: who arrives now waits, is thrown out by the shutdown, and starts anew.
        client.on('error', () => {});
        return true;
      }
      await client.end();
      return false;
    },
    async leave() {
      left = true;
      keepAlive(client, true);
      await client.end().catch(() => {});
    },
  };
}

async function claim(url: string, onLost: () => void): Promise<pg.Client> {
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

// An idle claim keeps no program alive; one in use must. (The published types lack these methods.)
function keepAlive(client: pg.Client, wanted: boolean): void {
  const connection = client as pg.Client & { ref(): void; unref(): void };
  if (wanted) connection.ref();
  else connection.unref();
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (rowCount) return;
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`).catch((error: { code?: string }) => {
    // Another start was faster: 42P04 duplicate_database, or 23505 when both were under way.
    if (error.code !== '42P04' && error.code !== '23505') throw error;
  });
}
