/** Maximum length of the user name and password of a package index, in characters (SECRET-2). */
export const MAX_CREDENTIAL_LENGTH = 4096;

/** What a secret is used for: one use each (SECRET-1). Null: not bound yet. */
export const SECRET_USES = ['package-index', 'repository', 'environment'] as const;
export type SecretUse = (typeof SECRET_USES)[number];

/**
 * What is known about a secret's values without decrypting it: the names of its keys, and which values are empty,
 * contain NUL, exceed the length of a credential, or can't be encoded in UTF-8.
 */
export interface SecretFacts {
  readonly keys: readonly string[];
  readonly empty: readonly string[];
  readonly nul: readonly string[];
  readonly overlong: readonly string[];
  readonly surrogate: readonly string[];
}

export function examineValues(values: Readonly<Record<string, string>>): SecretFacts {
  const keys = Object.keys(values).sort();
  const keysWith = (test: (value: string) => boolean) => keys.filter((key) => test(values[key]!));
  return {
    keys,
    empty: keysWith((value) => value === ''),
    nul: keysWith((value) => value.includes('\0')),
    // A text never has more characters than code units, so most values need no counting.
    overlong: keysWith((value) => value.length > MAX_CREDENTIAL_LENGTH && [...value].length > MAX_CREDENTIAL_LENGTH),
    surrogate: keysWith((value) => !value.isWellFormed()),
  };
}

/** Why a secret can't open a package index or a repository over https (SECRET-2, SECRET-6); null if it can. */
export function credentialError(facts: SecretFacts): string | null {
  const parts = ['username', 'password'].filter((key) => facts.keys.includes(key));
  const findKeyIn = (list: readonly string[]) => parts.find((key) => list.includes(key));
  const surrogate = findKeyIn(facts.surrogate);
  if (surrogate !== undefined)
    return `its ${surrogate} contains a lone surrogate, a character that cannot be written in UTF-8`;
  const long = findKeyIn(facts.overlong);
  if (long !== undefined)
    return `its ${long} is longer than ${MAX_CREDENTIAL_LENGTH.toLocaleString('en-US')} characters`;
  if (!facts.keys.includes('password')) return 'it has no usable password: the key "password" is missing';
  if (facts.empty.includes('password')) return 'it has no usable password: the password is empty';
  const nul = findKeyIn(facts.nul);
  return nul === undefined ? null : `it has no usable password: its ${nul} contains the character NUL`;
}

/** Why a secret can't open a repository over ssh (SECRET-6); null if it can. */
export function sshKeyError(facts: SecretFacts): string | null {
  for (const key of ['ssh_key', 'known_hosts']) {
    if (!facts.keys.includes(key) || facts.empty.includes(key)) return `it has no ${key}`;
    if (facts.nul.includes(key) || facts.surrogate.includes(key)) return `its ${key} is not plain text`;
  }
  return null;
}

/** Warnings after setting a secret whose values would stop a deploy (SECRET-4). */
export function secretWarnings(facts: SecretFacts, use: SecretUse | null): string[] {
  const warnings = [
    ...facts.nul.map((key) => `the value of ${key} contains the character NUL, so it is unusable`),
    ...facts.overlong
      .filter((key) => key === 'username' || key === 'password')
      .map((key) => `the value of ${key} is longer than 4,096 characters: a package index does not take it`),
  ];
  if (warnings.length > 0 || use !== 'package-index') return warnings;
  const error = credentialError(facts);
  return error === null ? [] : [error];
}
