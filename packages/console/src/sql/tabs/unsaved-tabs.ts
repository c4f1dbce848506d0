import { isBlank, isDirty, newTab, type OpenTab } from './open-tabs.ts';
import { bodyOf, contentOf, type TabContent } from './tab-content.ts';

// What the service hasn't stored yet is in the storage of the browser's tab, until it is closed or the caller signs out.

interface UnsavedTab {
  readonly id: string;
  readonly version: number;
  readonly content: ReturnType<typeof bodyOf>;
  readonly base: ReturnType<typeof bodyOf>;
}

const read = ({
  sql,
  title = null,
  parameters = [],
  query_id = null,
  saved_query_id = null,
  saved_query_version = null,
  chart = null,
}: UnsavedTab['content']): TabContent =>
  contentOf({
    ...{ id: '', version: 0, created_at: '', updated_at: '' },
    ...{ title, sql_text: sql, query_id, saved_query_id, saved_query_version, chart },
    parameters: parameters.map(({ type = 'string', ...parameter }) => ({ ...parameter, type })),
  });

/** The unsaved tabs under a key. */
export function readTabs(key: string): readonly OpenTab[] {
  try {
    const unsaved = JSON.parse(sessionStorage.getItem(key) ?? '[]') as readonly UnsavedTab[];
    return unsaved.map(({ id, version, content, base }) => ({ ...newTab(id, read(content), read(base)), version }));
  } catch {
    return [];
  }
}

/** Stores the tabs that a reload would lose. */
export function writeTabs(key: string, tabs: readonly OpenTab[]): void {
  const unsaved = tabs
    .filter((tab) => isDirty(tab) || (tab.version === 0 && !isBlank(tab)))
    .map(
      ({ id, version, content, base }): UnsavedTab => ({ id, version, content: bodyOf(content), base: bodyOf(base) }),
    );
  try {
    sessionStorage.setItem(key, JSON.stringify(unsaved));
  } catch {
    // Without storage, a reload forgets what the service hasn't stored.
  }
}
