import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Log } from '../connection/log.ts';
import { type Account, chooseAccount } from './account.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { EmbeddedServerError, USE_EXTERNAL } from './error.ts';
import { buildCluster, chownTo, prepareHome, removeLeftovers } from './home.ts';
import { launch, type ServerFiles, serverEnvironment } from './launch.ts';
import { clearForeignPidFile, livePostmaster, type Postmaster, readPostmaster } from './postmaster.ts';
import { claimServer, type ServerClaim } from './server-claim.ts';
import { shutDown } from './stop.ts';

const run = promisify(execFile);
const USER = 'svc';
const DATABASE = 'svc';
/** How long to wait for a server that recovers from a crash. */
const START_MS = 60_000;
const RESTART_MS = 60_000;
const FIRST_PAUSE_MS = 20;

export interface EmbeddedOptions {
  /** Folder of the server's files. Created if missing; its contents survive restarts. */
  readonly dataDir: string;
  readonly log: Log;
  /** False trades safety against power loss for speed; for tests only. */
  readonly durable?: boolean;
}

/** A running embedded server, shared by all programs that started or attached to it. */
export interface EmbeddedServer {
  /** Connection URL of the database `svc`, including the password. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Whether the server was already running. */
  readonly attached: boolean;
  /** Leaves. The last program to leave shuts the server down and waits for that. Close other connections first. */
  stop(): Promise<void>;
  /** Leaves the server running. */
  release(): Promise<void>;
}

/**
 * Starts Postgres in `dataDir`, or attaches to the server already running there (left by a killed program, or in use by
 * another). Committed data are on disk and survive.
 * @throws EmbeddedServerError with a message for the operator if it can't run here
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const durable = options.durable ?? true;
  const deadline = performance.now() + START_MS;
  const account = chooseAccount();
  const home = await prepareHome(options.dataDir, account, options.log);
  await removeLeftovers(home);
  const binaries = await findBinaries(account, home);
  const cluster = await buildCluster(home, account, (folder) => initialise(folder, account, binaries, durable));
  const files: ServerFiles = { home, data: join(cluster, 'data'), account, binaries, durable };
  await requireMajor(files);
  const password = (await readFile(join(cluster, 'password'), 'utf8')).trim();
  const urlOf = (port: number, database: string) => `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`;
  const restart = restarter(files, options.log);
  const urls = (port: number) => urlOf(port, 'postgres');
  const { server, claim, attached } = await acquireServer(files, { urls, restart }, deadline);
  const { port, pid } = server;
  options.log.info(
    { port, pid },
    attached ? 'found the embedded PostgreSQL running' : 'started the embedded PostgreSQL',
  );
  let stopping: Promise<void> | null = null;
  return {
    url: urlOf(port, DATABASE),
    port,
    pid,
    attached,
    stop: () => (stopping ??= stopServer(files, server, claim)),
    release: () => (stopping ??= claim.release()),
  };
}

interface AcquiredServer {
  readonly server: Postmaster;
  readonly claim: ServerClaim;
  readonly attached: boolean;
}

// Two steps lead out of every state of the folder: claim a server that is ready, or else launch one.
async function acquireServer(
  files: ServerFiles,
  { urls, restart }: { urls: (port: number) => string; restart: (port: number) => Promise<void> },
  deadline: number,
): Promise<AcquiredServer> {
  const claimOn = (port: number) => claimServer(urls(port), DATABASE, () => restart(port)).catch(ignoreShutdown);
  for (let pause = FIRST_PAUSE_MS; performance.now() < deadline; pause = Math.min(pause * 2, 500)) {
    const running = livePostmaster(files.data);
    if (running?.ready) {
      const claim = await claimOn(running.port);
      if (claim) return { server: running, claim, attached: true };
    } else if (!running) {
      // Programs may still look for a killed server on its port, so try that port first; another program may have taken
      // it since.
      const port = pause === FIRST_PAUSE_MS ? readPostmaster(files.data)?.port : undefined;
      clearForeignPidFile(files.data);
      const server = await launch(files, deadline, port);
      const claim = server && (await claimOn(server.port));
      if (server && claim) return { server, claim, attached: false };
    }
    await delay(pause);
  }
  throw new EmbeddedServerError(
    `The embedded PostgreSQL in ${files.data} does not respond and blocks a new one from starting. See ${join(files.home, 'postgresql.log')}, end the process named in ${join(files.data, 'postmaster.pid')}, ${USE_EXTERNAL}.`,
  );
}

/** Restarts a server that went down while in use, on the same port. Only one of several concurrent callers succeeds. */
async function restartServer(files: ServerFiles, port: number, log: Log): Promise<void> {
  if (livePostmaster(files.data)) return;
  clearForeignPidFile(files.data);
  const server = await launch(files, performance.now() + RESTART_MS, port);
  if (server) log.warn({ port, pid: server.pid }, 'the embedded PostgreSQL had stopped and was started again');
}

// A server that is shutting down refuses or drops the connection, so retry. A wrong password won't get better by
// waiting.
function ignoreShutdown(error: { code?: string }): null {
  if (error.code === '28P01' || error.code === '28000') throw error;
  return null;
}

/** Restarts as `restartServer` does, and logs the first failure: it is called twice a second until the server is back. */
function restarter(files: ServerFiles, log: Log): (port: number) => Promise<void> {
  let reported = false;
  return async (port) => {
    try {
      await restartServer(files, port, log);
      reported = false;
    } catch (error) {
      if (!reported)
        log.warn({ err: error }, "the embedded PostgreSQL stopped and can't be started again until this is fixed");
      reported = true;
      throw error;
    }
  };
}

async function stopServer(files: ServerFiles, server: Postmaster, claim: ServerClaim): Promise<void> {
  const last = await claim.releaseIfLast().catch(async () => {
    // The connection is lost: the server has crashed or stopped already, or other programs will shut it down.
    await claim.release();
    return false;
  });
  // Another program may have restarted it concurrently.
  if (last) await shutDown(files, livePostmaster(files.data)?.pid ?? server.pid);
}

async function initialise(folder: string, account: Account, binaries: Binaries, durable: boolean): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  await chownTo(passwordFile, account);
  const args = ['-D', join(folder, 'data'), '-U', USER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  args.push('-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
  if (!durable) args.push('--no-sync');
  await run(binaries.initdb, args, { ...account.ids, cwd: folder, env: serverEnvironment() }).catch((cause) => {
    throw new EmbeddedServerError(
      `The database folder could not be created in ${folder}: ${String(cause.stderr || cause.message).trim()} Free space there or choose another folder with SVC_HOME, ${USE_EXTERNAL}.`,
      { cause },
    );
  });
}

async function requireMajor(files: ServerFiles): Promise<void> {
  const major = (await readFile(join(files.data, 'PG_VERSION'), 'utf8')).trim();
  if (major === files.binaries.major) return;
  throw new EmbeddedServerError(
    `The data in ${files.data} was written by PostgreSQL ${major}, but this version includes ${files.binaries.major}, which cannot read it. Make a backup with the version that wrote the data and restore it with this one.`,
  );
}
