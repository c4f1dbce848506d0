import { shellCommand, shellOption } from '../access/shell-words.ts';
import type { SecretUse } from './values.ts';

/** A package index or a repository that names a secret. */
export interface SecretHolder {
  readonly kind: Exclude<SecretUse, 'environment'>;
  readonly name: string;
}

/** The option for the use of a secret; null: its environment, for storage or webhooks. */
const useOption = (holder: SecretHolder | null) =>
  holder === null
    ? '--environment'
    : shellOption(holder.kind === 'package-index' ? 'index' : 'repository', holder.name);

/**
 * The commands that create, set or bind a secret, for messages and hints (SECRET-4).
 *
 * @param holder what the secret is for; null: its environment, for storage or webhooks
 */
export function createCommand(secret: string, environment: string, holder: SecretHolder | null): string {
  return shellCommand('svc secret create', secret, [
    shellOption('env', environment),
    '--values-stdin',
    useOption(holder),
  ]);
}

export function rotateCommand(secret: string, environment: string): string {
  return shellCommand('svc secret rotate', secret, [shellOption('env', environment), '--values-stdin']);
}

export function bindCommand(secret: string, environment: string, holder: SecretHolder | null): string {
  return shellCommand('svc secret bind', secret, [shellOption('env', environment), useOption(holder)]);
}

/** The command that sets a secret as the credential of an index or a repository. */
export function nameCommand(holder: SecretHolder, secret: string): string {
  return holderCommand(holder, [shellOption('credential-secret', secret)]);
}

/** `svc index update NAME …` or `svc repository update NAME …`. */
export function holderCommand({ kind, name }: SecretHolder, options: readonly string[]): string {
  return shellCommand(`svc ${kind === 'package-index' ? 'index' : 'repository'} update`, name, options);
}
