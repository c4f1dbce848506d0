import type { SecretUse } from './values.ts';

/** A package index or a repository that names a secret. */
export interface SecretHolder {
  readonly kind: Exclude<SecretUse, 'environment'>;
  readonly name: string;
}

/** Quotes a name for a shell only where it needs it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const option = (flag: string, value: string) =>
  value.startsWith('-') ? `--${flag}=${shellWord(value)}` : `--${flag} ${shellWord(value)}`;
const holderOption = ({ kind, name }: SecretHolder) => option(kind === 'package-index' ? 'index' : 'repository', name);

/** `svc secret VERB NAME …`; a name that begins with "-" stands last, where it is no option. */
function secretCommand(verb: string, secret: string, options: readonly string[]): string {
  const words = secret.startsWith('-') ? [...options, '--', shellWord(secret)] : [shellWord(secret), ...options];
  return ['svc secret', verb, ...words].join(' ');
}

/** The commands that mend a secret, as messages and hints name them (specification 2.6, 5.6). */
export function createCommand(secret: string, environment: string, holder: SecretHolder): string {
  return secretCommand('create', secret, [option('env', environment), '--values-stdin', holderOption(holder)]);
}

export function rotateCommand(secret: string, environment: string): string {
  return secretCommand('rotate', secret, [option('env', environment), '--values-stdin']);
}

export function bindCommand(secret: string, environment: string, holder: SecretHolder): string {
  return secretCommand('bind', secret, [option('env', environment), holderOption(holder)]);
}
