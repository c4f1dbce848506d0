import { existsSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { EmbeddedServerError, USE_EXTERNAL } from './error.ts';

/** The system account of the server's processes; `own` if it is this process's account. */
export interface Account {
  readonly name: string;
  readonly own: boolean;
  /** Options for `spawn`; empty for this process's own account. */
  readonly ids: { readonly uid?: number; readonly gid?: number };
}

/**
 * Chooses the account. Postgres refuses to run as root, so under root the server runs as `postgres`, otherwise as
 * `nobody`.
 * @throws EmbeddedServerError if no account can run it
 */
export function chooseAccount(): Account {
  const uid = process.getuid?.();
  if (uid === undefined) return { name: userInfo().username, own: true, ids: {} };
  if (uid !== 0) return { name: ownName(uid), own: true, ids: {} };
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const entry = entries.find((fields) => fields[0] === name);
    if (entry) return { name, own: false, ids: { uid: Number(entry[2]), gid: Number(entry[3]) } };
  }
  throw new EmbeddedServerError(
    `PostgreSQL does not run as root, and this system has neither an account "postgres" nor "nobody" to run it under. Start as a regular user, ${USE_EXTERNAL}.`,
  );
}

// initdb and postgres look up their own user and fail without an entry, which is usual for arbitrary ids in containers.
function ownName(uid: number): string {
  try {
    return userInfo().username;
  } catch {
    throw new EmbeddedServerError(
      `This process runs as user id ${uid}, which has no entry in /etc/passwd, so PostgreSQL does not start. Add an entry for this id, ${USE_EXTERNAL}.`,
    );
  }
}

/** The outermost folder on `path` that the account can't enter, or null if it can reach the path. */
export function closedFolder(path: string, account: Account): string | null {
  if (account.own) return null;
  const folders: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(folder)) folders.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return folders.find((folder) => !canAccess(folder, account)) ?? null;
}

function canAccess(folder: string, account: Account): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === account.ids.uid) return (mode & 0o100) !== 0;
  if (gid === account.ids.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
