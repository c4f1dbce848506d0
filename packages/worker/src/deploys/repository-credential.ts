import {
  bindCommand,
  createCommand,
  credentialError,
  rotateCommand,
  type SecretFacts,
  sshKeyError,
} from '@svc/core/secrets';
import type { StoredDeploy } from '@svc/db/deploys';
import { findSecret } from '@svc/db/secrets';
import { openSecret } from '../package-indexes/credentials.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { ProjectError } from './project-error.ts';
import type { RepositoryAddress, RepositoryCredential } from './repository-address.ts';

type Row = Pick<StoredDeploy, 'environment_id' | 'environment' | 'repository_id' | 'repository' | 'repository_secret'>;

/**
 * Reads the credential of a repository for one fetch, by the same rules as for a package index: the secret of that name
 * in the environment, bound to this repository (SECRET-6). The URL is checked before the secret is read.
 * @throws ProjectError with the command that fixes it
 */
export async function repositoryCredential(
  deps: Pick<WorkerDeps, 'db' | 'sealing'>,
  row: Row,
  address: RepositoryAddress,
): Promise<RepositoryCredential | undefined> {
  const name = row.repository_secret;
  if (name === null || address.kind === 'local') return undefined;
  const { environment, repository } = row;
  const use = { kind: 'repository' as const, name: repository };
  const refuse = (what: string, remedy: string) =>
    new ProjectError('repository-credential', `the repository ${repository} needs the secret ${name}, ${what}`, remedy);
  const secret = await findSecret(deps.db.prisma, { environmentId: row.environment_id, name });
  if (secret === null) {
    const what = `which doesn't exist in the environment ${environment} or was revoked there`;
    throw refuse(what, createCommand(name, environment, use));
  }
  if (secret.use !== 'repository' || secret.repository_id !== row.repository_id) {
    throw refuse(`which isn't bound to it in environment ${environment}`, bindCommand(name, environment, use));
  }
  const error = credentialErrorOf(secret.facts, address);
  if (error !== null) {
    throw refuse(`which can't be used in environment ${environment}: ${error}`, rotateCommand(name, environment));
  }
  const { opened, failure } = await openSecret(deps, { id: row.environment_id, name: environment }, secret);
  if (failure !== null) throw ProjectError.from(failure);
  const { username, password, ssh_key: sshKey = '', known_hosts: knownHosts = '' } = opened;
  if (address.kind === 'ssh') return { sshKey, knownHosts };
  return { ...(username === undefined ? {} : { username }), password: password ?? '' };
}

const credentialErrorOf = (facts: SecretFacts, { kind }: RepositoryAddress) =>
  kind === 'ssh' ? sshKeyError(facts) : credentialError(facts);
