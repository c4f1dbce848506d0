import { createHash } from 'node:crypto';
import type { Failure } from '@svc/core/errors';
import { judgeLock, type LockFetch, outdatedLock, type RegisteredIndex } from '@svc/core/package-indexes';
import { listPackageIndexes } from '@svc/db/package-indexes';
import { checkIndexes, checkStoredUrls } from '../package-indexes/credentials.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { projectFailure } from './project-failure.ts';
import type { LockFiles } from './read-project.ts';

/** A lock that may be used, or why not. */
export interface JudgedLock {
  error: Failure | null;
  /** Names of the registered indexes it uses. */
  indexes: readonly string[];
  /** SHA-256 of the lock; null when the project has none. */
  hash: string | null;
  /** The registered indexes it uses, as they were judged by. */
  judged: readonly RegisteredIndex[];
  fetches: readonly LockFetch[];
}

/**
 * Checks the project's lock and its package index configuration against the sources allowed, and the indexes it uses
 * against their credentials in the environment (specification 2.6, 2.7): at deploy, before every execution, and when an
 * environment is built. A project without a lock follows the rules for its configuration all the same.
 */
export async function judgeProjectLock(
  deps: Pick<WorkerDeps, 'settings' | 'db'>,
  lock: LockFiles,
  { environment, moment }: { environment: { id: string; name: string }; moment: 'deploy' | 'execution' },
): Promise<JudgedLock> {
  const { lockText, pyprojectText, uvTomlText, wheelhouse } = lock;
  const { settings } = deps;
  const registered = await listPackageIndexes(deps.db.prisma);
  const { problems, indexes, fetches, unregistered } = judgeLock({
    lockText,
    pyprojectText,
    uvTomlText,
    wheelhouse,
    registered,
    operatorIndexUrl: settings.indexUrl ?? null,
    fileHosts: settings.indexFileHosts,
    moment,
  });
  const judged = registered.filter(({ name }) => indexes.includes(name));
  const hash = lockText === null ? null : createHash('sha256').update(lockText).digest('hex');
  // An index that the lock names is not found by a stored URL that was changed behind the service: that is the cause then.
  const changed = unregistered ? checkStoredUrls(registered) : null;
  // A version that is deployed runs as it was accepted.
  const outdated = moment === 'deploy' && lockText !== null ? outdatedLock(lockText, pyprojectText) : [];
  const refused = changed ?? projectFailure([...problems, ...outdated], 'lock-refused');
  const error = refused ?? (await checkIndexes(deps, environment, judged));
  return { error, indexes, hash, judged, fetches };
}
