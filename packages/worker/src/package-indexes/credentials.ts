import type { Failure } from '@svc/core/errors';
import {
  credentialFailure,
  type IndexFailure,
  type IndexSecret,
  type RegisteredIndex,
  storedUrlFailure,
} from '@svc/core/package-indexes';
import { credentialError, examineValues, rotateCommand } from '@svc/core/secrets';
import { findSealed, findSecret, SealError, type StoredSecret, unseal } from '@svc/db/secrets';
import type { BuildIndex } from '../python/uv-process.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { failure } from '../work/failures.ts';

interface Environment {
  id: string;
  name: string;
}

/**
 * Returns one failure for all indexes whose URL or credential can't be used, or null. Opens no secret.
 */
export async function checkIndexes(
  deps: Pick<WorkerDeps, 'db'>,
  environment: Environment,
  used: readonly RegisteredIndex[],
): Promise<Failure | null> {
  const failures: (IndexFailure | null)[] = [];
  for (const index of used) failures.push(storedUrlFailure(index) ?? (await inspect(deps, environment, index)).refusal);
  return combineFailures(failures);
}

/** Returns one failure for all indexes whose stored URL can't be used, or null. */
export function checkStoredUrls(registered: readonly RegisteredIndex[]): Failure | null {
  return combineFailures(registered.map(storedUrlFailure));
}

function combineFailures(found: readonly (IndexFailure | null)[]): Failure | null {
  const failures = found.filter((failure) => failure !== null);
  const [first] = failures;
  if (first === undefined) return null;
  return { ...first, detail: failures.map(({ detail }) => detail).join('\n') };
}

async function inspect(deps: Pick<WorkerDeps, 'db'>, environment: Environment, index: RegisteredIndex) {
  const name = index.credential_secret;
  const secret = name === null ? null : await findSecret(deps.db.prisma, { environmentId: environment.id, name });
  return { secret, refusal: credentialFailure(index, environment.name, secret as IndexSecret | null) };
}

/**
 * Reads the credential of an index for a build that starts now. URL and credential are checked again before the secret
 * is read (INDEX-9). Null if the index needs none.
 */
export async function readCredential(
  deps: Pick<WorkerDeps, 'db' | 'sealing'>,
  environment: Environment,
  index: RegisteredIndex,
): Promise<BuildIndex | Failure | null> {
  const urlFailure = storedUrlFailure(index);
  if (urlFailure !== null) return urlFailure;
  const { secret, refusal: failure } = await inspect(deps, environment, index);
  if (failure !== null) return failure;
  if (secret === null) return null;
  const values = await openSecret(deps, environment, secret);
  if (values.failure !== null) return values.failure;
  const { username = '', password = '' } = values.opened;
  const fault = credentialError(examineValues(values.opened));
  if (fault !== null) return unusableCredential(secret, environment, `can't be used: ${fault}`);
  const { name, url } = index;
  return { name, url, username, password, secret: { name: secret.name, environment: environment.name } };
}

type Opened = { opened: Record<string, string>; failure: null } | { opened: null; failure: Failure };

/** Decrypts the values of a secret that exists. */
export async function openSecret(
  deps: Pick<WorkerDeps, 'db' | 'sealing'>,
  environment: Environment,
  secret: StoredSecret,
): Promise<Opened> {
  const sealed = await findSealed(deps.db.prisma, secret.id);
  if (sealed === null) return { opened: null, failure: unusableCredential(secret, environment, 'has been revoked') };
  try {
    return { opened: unseal(deps.sealing, { id: secret.id, environmentId: environment.id }, sealed), failure: null };
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return { opened: null, failure: unusableCredential(secret, environment, `can't be decrypted: ${error.message}`) };
  }
}

function unusableCredential(secret: StoredSecret, environment: Environment, reason: string): Failure {
  const remedy = rotateCommand(secret.name, environment.name);
  const detail = `the secret ${secret.name} of environment ${environment.name} ${reason}; set it again: ${remedy}`;
  return failure('secret-unusable', detail, remedy);
}
