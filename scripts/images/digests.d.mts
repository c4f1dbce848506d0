/** Files that name images which others publish, relative to the root of the repository. */
export const PINNED_FILES: readonly string[];
/** @param digestOf such as `sha256:…` */
export function withDigests(text: string, digestOf: (image: string) => string): string;
