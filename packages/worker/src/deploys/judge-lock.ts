import { createHash } from 'node:crypto';
import type { Failure } from '@svc/core/errors';
import { judgeLock, type LockVerdict } from '@svc/core/package-indexes';
import type { WorkerDeps } from '../work/deps.ts';
import { projectFailure } from './project-failure.ts';
import type { LockFiles, ReadProject } from './read-project.ts';

/** A lock that may be used, or why not. */
export interface JudgedLock {
  error: Failure | null;
  indexes: readonly string[];
  /** SHA-256 of the lock; null when the project has none. */
  hash: string | null;
  verdict: LockVerdict | null;
}

/** Holds the project's lock against the sources allowed (specification 2.7), at deploy and before every execution. */
export function judgeProjectLock(
  deps: Pick<WorkerDeps, 'settings'>,
  { lock }: Pick<ReadProject, 'lock'>,
  moment: 'deploy' | 'execution' = 'deploy',
): JudgedLock {
  if (lock.lockText === null) return { error: null, indexes: [], hash: null, verdict: null };
  const verdict = judge(deps, lock, lock.lockText, moment);
  return {
    error: projectFailure(verdict.problems, 'lock-refused'),
    indexes: verdict.indexes,
    hash: createHash('sha256').update(lock.lockText).digest('hex'),
    verdict,
  };
}

function judge(
  { settings }: Pick<WorkerDeps, 'settings'>,
  lock: LockFiles,
  lockText: string,
  moment: 'deploy' | 'execution',
): LockVerdict {
  return judgeLock({
    lockText,
    pyprojectText: lock.pyprojectText,
    uvTomlText: lock.uvTomlText,
    wheelhouse: lock.wheelhouse,
    registered: [],
    operatorIndexUrl: settings.indexUrl ?? null,
    fileHosts: settings.indexFileHosts,
    moment,
  });
}
