import {
  bindCommand,
  consumerCommand,
  createCommand,
  credentialError,
  rotateCommand,
  type SecretFacts,
  type SecretUse,
} from '../secrets/index.ts';
import { checkIndexUrl, type IndexUrlFailure } from './index-url.ts';

/** A registered index as the worker reads it from the database. */
export interface RegisteredIndex {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly credential_secret: string | null;
}

/** The fields that the URL rules depend on. */
export type StoredAddress = Pick<RegisteredIndex, 'name' | 'url' | 'credential_secret'>;

/** The secret with that name in the environment of the deploy or run. */
export interface IndexSecret {
  readonly use: SecretUse | null;
  readonly package_index_id: string | null;
  readonly facts: SecretFacts;
}

/** Why a build must not use an index, with the command that fixes it. */
export interface IndexFailure {
  readonly code: 'index-url-refused' | 'index-credential';
  readonly detail: string;
  readonly remedy: string;
}

/**
 * Checks URL and credential of a registered index again before its secret is read (INDEX-9): a stored URL that fails
 * was changed without going through the service. Null if it may be used.
 */
export function storedUrlFailure(index: StoredAddress): IndexFailure | null {
  const checked = checkIndexUrl(index.url, { credential: index.credential_secret !== null });
  if (checked.ok && checked.url === index.url) return null;
  const reason = checked.ok ? `it is not in normal form, ${checked.url}` : safeMessage(index.url, checked.problem);
  const remedy = consumerCommand({ kind: 'package-index', name: index.name }, ['--url URL']);
  const problem = `the stored URL of the package index ${index.name} is refused, and no credential is sent to it: ${reason}`;
  return { code: 'index-url-refused', detail: `${problem}; set another one: ${remedy}`, remedy };
}

/**
 * Users who deploy may not be allowed to see a password in the URL. If the URL might contain one, none of it is shown.
 */
function safeMessage(url: string, { rule, message }: IndexUrlFailure): string {
  const mayQuoteUrl = ![1, 3, 5].includes(rule);
  return mayQuoteUrl && /[@?#]/.test(url) ? 'it is not the URL of a package index' : message;
}

/** Why the credential of an index can't be used in an environment (SECRET-4); null if it can or none is needed. */
export function credentialFailure(
  index: RegisteredIndex,
  environment: string,
  secret: IndexSecret | null,
): IndexFailure | null {
  const name = index.credential_secret;
  if (name === null) return null;
  const use = { kind: 'package-index' as const, name: index.name };
  const failure = (problem: string, advice: string, remedy: string): IndexFailure => ({
    code: 'index-credential',
    detail: `the package index ${index.name} needs the secret ${name}, ${problem}; ${advice}: ${remedy}`,
    remedy,
  });
  if (secret === null) {
    return failure(
      `which the environment ${environment} does not have, or which was revoked there`,
      'create it',
      createCommand(name, environment, use),
    );
  }
  if (secret.use !== 'package-index' || secret.package_index_id !== index.id) {
    const problem = `which is not bound to it in environment ${environment}`;
    return failure(problem, 'bind it', bindCommand(name, environment, use));
  }
  const error = credentialError(secret.facts);
  if (error === null) return null;
  const problem = `which cannot be used in environment ${environment}: ${error}`;
  return failure(problem, 'set it again', rotateCommand(name, environment));
}
