/** Generated files, whose sources are checked instead, and the list of words itself. */
const GENERATED = [
  /\/generated\//,
  /^docs\/reference\//,
  /api-report\.md$/,
  /__snapshots__/,
  /^scripts\/prose\/words\.ts$/,
];

/** Uses in which a listed word is right. */
export interface Exception {
  /** Phrases of texts, with their case. */
  readonly phrases?: readonly string[];
  /** Part of an identifier, or all of it. */
  readonly names?: RegExp;
  /** Names of properties, which variables and functions can't have. */
  readonly fields?: readonly string[];
  readonly because: string;
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    phrases: ['RUN_ENDED', 'already-ended', 'not-ended'],
    names: /^RUN_ENDED$/,
    because: 'event types and error codes of the specification',
  },
  { phrases: ['BEGIN '], because: 'SQL' },
  { phrases: ['is None'], because: 'Python' },
];

export const isGenerated = (file: string): boolean => GENERATED.some((pattern) => pattern.test(file));
