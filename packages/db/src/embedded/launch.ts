import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedServerError, USE_EXTERNAL } from './error.ts';
import { type Postmaster, readPostmaster } from './postmaster.ts';

const LOG_BYTES = 16 * 1024 * 1024;
const POLL_MS = 5;

/** A prepared folder in which a server can start. */
export interface ServerFiles {
  readonly home: string;
  /** The data folder of Postgres, below `home`. */
  readonly data: string;
  readonly account: Account;
  readonly binaries: Binaries;
  /** False trades safety against power loss for speed; for tests only. */
  readonly durable: boolean;
}

// Temporary failures: another start, the remains of a killed server, a port that was just taken.
// bounded: the server's output during one start.
const TRANSIENT_ERRORS =
  /lock file "postmaster\.pid" already exists|shared memory block|could not create any TCP\/IP sockets|lock file "[^"]*" is empty/;

/**
 * Spawns the server in its own session, so that Ctrl-C in the terminal doesn't reach it and it outlives a killed
 * parent, and waits until it accepts connections. Returns null after a temporary failure, for the caller to retry.
 * @param samePort the port of a server that went down while in use (default: a free port)
 * @throws EmbeddedServerError with the server's last log lines if it can't start
 */
export async function launch(files: ServerFiles, deadline: number, samePort?: number): Promise<Postmaster | null> {
  const port = samePort || (await freePort());
  const logFile = openLog(files.home);
  const child = spawnServer(files, port, logFile.fd);
  let exit: string | null = null;
  child.once('exit', (code, signal) => {
    exit = signal ?? `code ${code}`;
  });
  child.once('error', (error) => {
    exit = error.message;
  });
  closeSync(logFile.fd);
  child.unref();
  while (performance.now() < deadline) {
    if (exit !== null) return startFailed(files, logFile, exit);
    const found = readPostmaster(files.data);
    if (found?.ready && found.pid === child.pid) return found;
    await delay(POLL_MS);
  }
  child.kill('SIGQUIT');
  throw new EmbeddedServerError(
    `The embedded PostgreSQL did not become ready in time. See ${logFile.path}, ${USE_EXTERNAL}.`,
  );
}

function spawnServer(files: ServerFiles, port: number, logFd: number): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '128MB',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(files.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(files.binaries.postgres, ['-D', files.data, '-p', String(port), ...args], {
    ...files.account.ids,
    cwd: files.data,
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', logFd, logFd],
  });
}

/** A minimal environment: the server must not pick up `PG…` variables meant for clients. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env;
  return { LC_ALL: 'C', TZ: 'UTC', ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }), ...(TEMP && { TEMP }) };
}

interface LogFile {
  readonly path: string;
  readonly fd: number;
  /** Length of the log before this start. */
  readonly from: number;
}

function openLog(home: string): LogFile {
  const path = join(home, 'postgresql.log');
  let from = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (from > LOG_BYTES) {
    renameSync(path, `${path}.1`);
    from = 0;
  }
  return { path, fd: openSync(path, 'a', 0o600), from };
}

function startFailed(files: ServerFiles, log: LogFile, exit: string): null {
  const logText = readFileSync(log.path).subarray(log.from).toString('utf8').trim();
  if (TRANSIENT_ERRORS.test(logText)) return null;
  const last = logText.split('\n').slice(-3).join(' ');
  throw new EmbeddedServerError(
    `The embedded PostgreSQL in ${files.data} stopped at once (${exit}): ${last} See ${log.path}, ${USE_EXTERNAL}.`,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
