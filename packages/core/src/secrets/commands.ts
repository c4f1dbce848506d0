import { shellCommand, shellOption } from '../command-lines/index.ts';
import type { SecretUse } from './values.ts';

/** A package index or a repository that names a secret. */
export interface SecretConsumer {
  readonly kind: Exclude<SecretUse, 'environment'>;
  readonly name: string;
}

/** The option for the use of a secret; null: its environment, for storage or webhooks. */
const useOption = (consumer: SecretConsumer | null) =>
  consumer === null
    ? '--environment'
    : shellOption(consumer.kind === 'package-index' ? 'index' : 'repository', consumer.name);

/**
 * The commands that create, set or bind a secret, for messages and hints (SECRET-4).
 *
 * @param consumer what the secret is for; null: its environment, for storage or webhooks
 */
export function createCommand(secret: string, environment: string, consumer: SecretConsumer | null): string {
  return shellCommand('svc secret create', secret, [
    shellOption('env', environment),
    '--values-stdin',
    useOption(consumer),
  ]);
}

export function rotateCommand(secret: string, environment: string): string {
  return shellCommand('svc secret rotate', secret, [shellOption('env', environment), '--values-stdin']);
}

export function bindCommand(secret: string, environment: string, consumer: SecretConsumer | null): string {
  return shellCommand('svc secret bind', secret, [shellOption('env', environment), useOption(consumer)]);
}

/** The command that sets a secret as the credential of an index or a repository. */
export function nameCommand(consumer: SecretConsumer, secret: string): string {
  return consumerCommand(consumer, [shellOption('credential-secret', secret)]);
}

/** `svc index update NAME …` or `svc repository update NAME …`. */
export function consumerCommand({ kind, name }: SecretConsumer, options: readonly string[]): string {
  return shellCommand(`svc ${kind === 'package-index' ? 'index' : 'repository'} update`, name, options);
}
