/** Longest user name and password of a package index, in characters (specification 2.6, 8). */
export const LONGEST_CREDENTIAL = 4096;

/** What a secret is used for; one use each (specification 2.6). Null: not bound yet. */
export const SECRET_USES = ['package-index', 'repository', 'environment'] as const;
export type SecretUse = (typeof SECRET_USES)[number];

/**
 * What is known of a secret's values without opening it: names of its keys, and those whose value is empty, holds NUL,
 * is longer than a credential may be, or cannot be written in UTF-8.
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
  const where = (test: (value: string) => boolean) => keys.filter((key) => test(values[key]!));
  return {
    keys,
    empty: where((value) => value === ''),
    nul: where((value) => value.includes('\0')),
    // Never more characters than code units: most values need no counting.
    overlong: where((value) => value.length > LONGEST_CREDENTIAL && [...value].length > LONGEST_CREDENTIAL),
    surrogate: where((value) => !value.isWellFormed()),
  };
}

/** Why a secret cannot open a package index or a repository over https; null when it can (specification 2.6). */
export function credentialFault(facts: SecretFacts): string | null {
  const parts = ['username', 'password'].filter((key) => facts.keys.includes(key));
  const bad = (list: readonly string[]) => parts.find((key) => list.includes(key));
  const lone = bad(facts.surrogate);
  if (lone !== undefined) return `its ${lone} holds a lone surrogate, a character that cannot be written in UTF-8`;
  const long = bad(facts.overlong);
  if (long !== undefined) return `its ${long} is longer than ${LONGEST_CREDENTIAL.toLocaleString('en-US')} characters`;
  if (!facts.keys.includes('password')) return 'it has no usable password: the key "password" is missing';
  if (facts.empty.includes('password')) return 'it has no usable password: the password is empty';
  const nul = bad(facts.nul);
  return nul === undefined ? null : `it has no usable password: its ${nul} holds the character NUL`;
}

/** Why a secret cannot open a repository over ssh; null when it can (interface: Repositories). */
export function sshKeyFault(facts: SecretFacts): string | null {
  for (const key of ['ssh_key', 'known_hosts']) {
    if (!facts.keys.includes(key) || facts.empty.includes(key)) return `it has no ${key}`;
    if (facts.nul.includes(key) || facts.surrogate.includes(key)) return `its ${key} is not plain text`;
  }
  return null;
}

/** What the holder should know after setting a secret: a deploy that needs it would stop. */
export function secretWarnings(facts: SecretFacts, use: SecretUse | null): string[] {
  const warnings = [
    ...facts.nul.map((key) => `the value of ${key} holds the character NUL: it counts as not usable`),
    ...facts.overlong
      .filter((key) => key === 'username' || key === 'password')
      .map((key) => `the value of ${key} is longer than 4,096 characters: a package index does not take it`),
  ];
  if (warnings.length > 0 || use !== 'package-index') return warnings;
  const fault = credentialFault(facts);
  return fault === null ? [] : [fault];
}
