import { createHash } from 'node:crypto';
import type { Failure } from '@svc/core/errors';
import { type LockFetch, outdatedLock, type RegisteredIndex, verifyLock } from '@svc/core/package-indexes';
import { listPackageIndexes } from '@svc/db/package-indexes';
import { checkIndexes, checkStoredUrls } from '../package-indexes/credentials.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { projectFailure } from './project-failure.ts';
import type { LockFiles } from './read-project.ts';

/** The verdict on a lock. */
export interface VerifiedLock {
  error: Failure | null;
  /** Names of the registered indexes that it uses. */
  indexes: readonly string[];
  /** SHA-256 of the lock; null if the project has none. */
  hash: string | null;
  /** The registered indexes that it uses, as they were during the check. */
  verified: readonly RegisteredIndex[];
  fetches: readonly LockFetch[];
}

/**
 * Checks the project's lock and package index configuration against the allowed sources (LOCK-1 to LOCK-7), and the
 * indexes it uses against their credentials in the environment (SECRET-4). Runs at deploy, before every execution and
 * before a Python environment is built. The configuration of a project without a lock is checked as well.
 */
export async function verifyProjectLock(
  deps: Pick<WorkerDeps, 'settings' | 'db'>,
  lock: LockFiles,
  { environment, phase }: { environment: { id: string; name: string }; phase: 'deploy' | 'execution' },
): Promise<VerifiedLock> {
  const { lockText, pyprojectText } = lock;
  const { settings } = deps;
  const registered = await listPackageIndexes(deps.db.prisma);
  const { problems, indexes, fetches, unregistered } = verifyLock({
    ...lock,
    registered,
    operatorIndexUrl: settings.indexUrl ?? null,
    fileHosts: settings.indexFileHosts,
    phase: phase,
  });
  const verified = registered.filter(({ name }) => indexes.includes(name));
  const hash = lockText === null ? null : createHash('sha256').update(lockText).digest('hex');
  // A stored URL that was changed behind the service's back makes a lock's index look unregistered: report that as the
  // cause.
  const changed = unregistered ? checkStoredUrls(registered) : null;
  // A deployed version runs as it was accepted.
  const outdated = phase === 'deploy' && lockText !== null ? outdatedLock(lockText, pyprojectText) : [];
  const refused = changed ?? projectFailure([...problems, ...outdated], 'lock-refused');
  const error = refused ?? (await checkIndexes(deps, environment, verified));
  return { error, indexes, hash, verified, fetches };
}
