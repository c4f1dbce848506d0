/** Generated files, whose sources are checked instead, and the list of words itself. */
const GENERATED = [
  /\/generated\//,
  /^docs\/reference\//,
  /api-report\.md$/,
  /__snapshots__/,
  /^scripts\/prose\/words\.ts$/,
];

/** Phrases in which a listed word is right. */
export const ALLOWED: readonly string[] = ['RUN_ENDED', 'already-ended', 'not-ended', 'BEGIN ', 'is None'];

export const isGenerated = (file: string): boolean => GENERATED.some((pattern) => pattern.test(file));
