/**
 * Whether a deployed folder had changes that its commit doesn't contain; null without a commit. A fetched commit has none, and
 * nothing is stored for it.
 */
export const isDirty = ({ commit, dirty }: { commit: string | null; dirty: boolean | null }): boolean | null =>
  commit === null ? null : (dirty ?? false);
