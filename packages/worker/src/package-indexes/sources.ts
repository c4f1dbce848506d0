import { userInfoOf } from '@svc/core/addresses';
import { type LockFetch, planPasses, type RegisteredIndex, withoutUser } from '@svc/core/package-indexes';
import { listPackageIndexes } from '@svc/db/package-indexes';
import type { BuildSources } from '../python/build-environment.ts';
import type { BuildIndex } from '../python/uv-process.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { RunError } from '../work/run-error.ts';
import { readCredential } from './credentials.ts';

/**
 * Reads the sources and credentials of a build when it starts. `verified` contains the indexes with which the lock was
 * validated; if one has changed since, the build fails.
 * @throws RunError
 */
export async function readSources(
  deps: Pick<WorkerDeps, 'db' | 'sealing' | 'settings'>,
  environment: { id: string; name: string },
  { fetches, verified }: { fetches: readonly LockFetch[]; verified: readonly RegisteredIndex[] },
): Promise<BuildSources> {
  const now = await listPackageIndexes(deps.db.prisma);
  const credentials: BuildIndex[] = [];
  const open = [];
  for (const { id, name, url } of verified) {
    const index = now.find((registered) => registered.id === id);
    if (index === undefined || index.url !== url) {
      throw new RunError('lock-refused', `the package index ${name} changed in the meantime`, 'run it again');
    }
    const found = await readCredential(deps, environment, index);
    if (found === null) open.push({ name, url, secret: null });
    else if ('code' in found) throw RunError.from(found);
    else credentials.push(found);
  }
  const operator = operatorCredential(deps.settings.indexUrl);
  if (operator !== null && fetches.some((fetch) => fetch.operator)) credentials.push(operator);
  const { passes, splitPackage } = planPasses(fetches, credentials);
  if (splitPackage !== null) {
    const detail = `the package ${splitPackage} comes from two indexes on one host, so svc can't separate their credentials`;
    throw new RunError('lock-refused', detail, 'use only one of them and lock again');
  }
  const all = new Set(fetches.flatMap((fetch) => fetch.packages));
  return {
    open,
    passes: passes.map((pass) => ({
      addresses: pass.addresses,
      indexes: credentials.filter((index) => pass.credentials.includes(index)),
      excludedPackages: pass.packages === null ? [] : [...all].filter((name) => !pass.packages!.includes(name)),
    })),
  };
}

/** The user name and password in `SVC_RUN__INDEX_URL`; null if it has none. */
function operatorCredential(indexUrl: string | undefined): BuildIndex | null {
  if (indexUrl === undefined) return null;
  const { username, password } = userInfoOf(new URL(indexUrl));
  if (username === '' && password === '') return null;
  return { name: null, url: withoutUser(indexUrl), username, password, secret: null };
}
