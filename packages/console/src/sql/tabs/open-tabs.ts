import type { QueryTab } from '@svc/sdk/browser';
import { BLANK, contentOf, isSame, isSameText, type TabContent } from './tab-content.ts';

/** A tab of this browser, and what is known of the stored one. */
export interface OpenTab {
  readonly id: string;
  /** Of the stored tab that this one is based on; 0 if none is. */
  readonly version: number;
  readonly content: TabContent;
  /** What needn't be saved: the stored content, or what the tab was opened with. */
  readonly base: TabContent;
  /** What the last request sent. Its response may have been lost. */
  readonly sent: TabContent | null;
  /** The stored tab, which has another text that was not seen here. */
  readonly conflict: QueryTab | null;
  /** Why the last request failed. */
  readonly error: unknown;
  /** When it was stored. */
  readonly storedAt: string;
}

export const newTab = (id: string, content: TabContent, base: TabContent): OpenTab => ({
  ...{ id, content, base },
  ...{ version: 0, sent: null, conflict: null, error: null, storedAt: '' },
});

const openedTab = (theirs: QueryTab): OpenTab => ({
  ...newTab(theirs.id, contentOf(theirs), BLANK),
  ...baseOf(theirs),
});

const baseOf = (theirs: QueryTab) => ({
  version: theirs.version,
  base: contentOf(theirs),
  storedAt: theirs.updated_at,
});

export const isDirty = ({ content, base }: OpenTab): boolean => !isSame(content, base);

/** A tab that nothing was written in, and that isn't stored. */
export const isBlank = ({ version, content }: OpenTab): boolean => version === 0 && isSame(content, BLANK);

/** The tab after the service has stored what was sent. More may have been written since. */
export const savedTab = (tab: OpenTab, stored: QueryTab, sent: TabContent): OpenTab => ({
  ...tab,
  ...{ version: stored.version, base: sent, storedAt: stored.updated_at },
  ...{ sent: null, conflict: null, error: null },
});

/** The tab after the service has reported the stored one. No text is lost: the newer one is shown, or both. */
export function mergedTab(tab: OpenTab, theirs: QueryTab): OpenTab {
  const known = tab.conflict?.version ?? tab.version;
  if (theirs.version === known) return tab;
  const content = contentOf(theirs);
  const accepted = { ...tab, ...baseOf(theirs), sent: null, conflict: null, error: null };
  // Nothing was written here since, or the same.
  if (!isDirty(tab) || isSame(tab.content, content)) return { ...accepted, content };
  // The other text is one that was written here, or the texts are the same: what is here is newer.
  const isOwn = isSame(content, tab.base) || (tab.sent !== null && isSame(content, tab.sent));
  if (isOwn || isSameText(tab.content, content)) return accepted;
  return { ...tab, conflict: theirs, error: null };
}

/** A stored tab was deleted: what was written since stays, and is stored again. */
export const orphanedTab = (tab: OpenTab): OpenTab => ({
  ...newTab(tab.id, tab.content, BLANK),
  sent: tab.sent,
});

/**
 * The tabs after the service has listed the stored ones.
 *
 * @param closing ids of those that are being deleted
 */
export function mergedTabs(
  tabs: readonly OpenTab[],
  listed: readonly QueryTab[],
  closing: ReadonlySet<string>,
): readonly OpenTab[] {
  const stored = new Map(listed.map((tab) => [tab.id, tab]));
  const known = new Set(tabs.map(({ id }) => id));
  const remaining = tabs.flatMap((tab) => {
    const theirs = stored.get(tab.id);
    if (theirs !== undefined) return mergedTab(tab, theirs);
    if (tab.version === 0) return tab;
    return isDirty(tab) ? orphanedTab(tab) : [];
  });
  const added = listed.filter(({ id }) => !known.has(id) && !closing.has(id)).map(openedTab);
  return [...added, ...remaining].sort(byCreation(listed));
}

/** In the order of the list; the tabs that aren't stored are last. */
function byCreation(listed: readonly QueryTab[]) {
  const positions = new Map(listed.map(({ id }, index) => [id, index]));
  const positionOf = ({ id }: OpenTab) => positions.get(id) ?? listed.length;
  return (one: OpenTab, other: OpenTab) => positionOf(one) - positionOf(other);
}

/** Of two texts, the one here is chosen: it replaces the stored one. */
export const withMine = (tab: OpenTab): OpenTab =>
  tab.conflict === null ? tab : { ...tab, ...baseOf(tab.conflict), sent: null, conflict: null };

/** Of two texts, the stored one is chosen. */
export const withTheirs = (tab: OpenTab): OpenTab => (tab.conflict === null ? tab : openedTab(tab.conflict));
