import { addressText } from '@svc/core/package-indexes';
import { consumerCommand, rotateCommand } from '@svc/core/secrets';
import type { StoredDeploy } from '@svc/db/deploys';
import { allowedAddress, startGuardProxy, systemResolve, upstreamProxy } from '../outgoing/index.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { type FetchedProject, type FetchOptions, fetchRepository } from './fetch-repository.ts';
import { ProjectError } from './project-error.ts';
import { checkAddress, type RepositoryAddress } from './repository-address.ts';
import { repositoryCredential } from './repository-credential.ts';

/** Fetches a repository's revision with its credential, through a guard that lets git reach only that repository. */
export async function fetchGuarded(
  deps: WorkerDeps,
  row: StoredDeploy,
  { workDir, signal }: { workDir: string; signal: AbortSignal },
): Promise<FetchedProject> {
  const allowLocal = deps.settings.allowLocalRepositories;
  const address = checkAddress(row.repository_url!, allowLocal);
  const caFile = deps.inheritedEnv['SSL_CERT_FILE'];
  const options: FetchOptions = {
    url: row.repository_url!,
    ref: row.ref ?? row.default_ref,
    folder: row.folder,
    credential: await repositoryCredential(deps, row, address),
    allowLocal,
    workDir,
    signal,
    ...(caFile === undefined ? {} : { caFile }),
  };
  if (address.kind === 'ssh') return fetchRepository({ ...options, sshAddress: await sshAddress(address) });
  const fetching = address.kind === 'https' ? fetchThroughGuard(deps, address, options) : fetchRepository(options);
  return fetching.catch(namingCommand(row));
}

async function fetchThroughGuard(
  deps: WorkerDeps,
  address: RepositoryAddress,
  options: FetchOptions,
): Promise<FetchedProject> {
  const { hostname, port } = new URL(address.url);
  const target = { scheme: 'https' as const, host: hostname, port: Number(port || 443) };
  const guard = await startGuardProxy({
    allowed: [target],
    upstream: upstreamProxy(deps.inheritedEnv),
    resolve: systemResolve,
  });
  try {
    return await fetchRepository({ ...options, proxyUrl: guard.url });
  } catch (error) {
    if (guard.refused.includes(addressText(target))) throw refusedHostError(hostname);
    throw error;
  } finally {
    await guard.close();
  }
}

/** ssh opens its own connection, so it gets the address that was checked. */
async function sshAddress({ url }: RepositoryAddress): Promise<string> {
  const { hostname } = new URL(url);
  const found = await allowedAddress(hostname, systemResolve).catch(() => {
    throw new ProjectError('fetch-failed', `the host ${hostname} can't be resolved`, "check the repository's URL");
  });
  if (found === null) throw refusedHostError(hostname);
  return found;
}

function refusedHostError(host: string): ProjectError {
  const detail = `the host ${host} resolves to a link-local or metadata address, which svc never connects to`;
  return new ProjectError('repository-url-refused', detail, 'register the URL of the repository itself');
}

function namingCommand({ repository, repository_secret: secret, environment }: StoredDeploy) {
  return (error: unknown): never => {
    if (!(error instanceof ProjectError) || error.code !== 'repository-not-allowed') throw error;
    const remedy =
      secret === null
        ? consumerCommand({ kind: 'repository', name: repository }, ['--credential-secret SECRET'])
        : rotateCommand(secret, environment);
    throw new ProjectError(error.code, error.detail, remedy);
  };
}
