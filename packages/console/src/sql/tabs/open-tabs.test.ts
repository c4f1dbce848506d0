import type { QueryTab } from '@svc/sdk/browser';
import { isDirty, mergedTab, mergedTabs, newTab, type OpenTab, savedTab, withMine, withTheirs } from './open-tabs.ts';
import { BLANK, contentOf } from './tab-content.ts';

const stored = (sql_text: string, version = 1, more: Partial<QueryTab> = {}): QueryTab => ({
  ...{ id: 'a', version, title: null, sql_text, parameters: [], query_id: null },
  ...{ saved_query_id: null, saved_query_version: null, chart: null },
  ...{ created_at: '2026-03-01T08:00:00.000Z', updated_at: '2026-03-01T08:00:00.000Z' },
  ...more,
});
const opened = (theirs: QueryTab): OpenTab => mergedTabs([], [theirs], new Set())[0]!;
const written = (tab: OpenTab, sql: string): OpenTab => ({ ...tab, content: { ...tab.content, sql } });
const QUERY = '01997c2e-7b7a-7c1e-8000-000000000011';

test('a stored tab replaces the one here if nothing was written in it', () => {
  const tab = mergedTab(opened(stored('a')), stored('b', 2));
  expect(tab).toMatchObject({ version: 2, content: { sql: 'b' }, conflict: null });
  expect(isDirty(tab)).toBe(false);
});

test('two texts are a conflict, and both are there until one is chosen', () => {
  const mine = written(opened(stored('a')), 'mine');
  const both = mergedTab(mine, stored('theirs', 2));
  expect(both).toMatchObject({ version: 1, content: { sql: 'mine' }, conflict: { sql_text: 'theirs' } });
  // The other browser changes it again.
  expect(mergedTab(both, stored('theirs again', 3)).conflict?.sql_text).toBe('theirs again');
  expect(withMine(both)).toMatchObject({
    version: 2,
    content: { sql: 'mine' },
    base: { sql: 'theirs' },
    conflict: null,
  });
  expect(isDirty(withMine(both))).toBe(true);
  expect(withTheirs(both)).toMatchObject({ version: 2, content: { sql: 'theirs' }, conflict: null });
});

test.each([
  ['the same text', stored('mine', 2)],
  ['the text that was here before', stored('a', 2)],
  ['a text that was sent from here', stored('sent', 2)],
  ['the same text with another result', stored('mine', 2, { query_id: QUERY })],
])("%s isn't a conflict", (_, theirs) => {
  const mine = { ...written(opened(stored('a')), 'mine'), sent: { ...BLANK, sql: 'sent' } };
  expect(mergedTab(mine, theirs)).toMatchObject({ version: 2, content: { sql: 'mine' }, conflict: null, error: null });
});

test('what is written while a request saves stays to be saved', () => {
  const sent = written(newTab('a', BLANK, BLANK), 'sent').content;
  const tab = savedTab(written(newTab('a', BLANK, BLANK), 'sent and more'), stored('sent'), sent);
  expect([tab.version, isDirty(tab)]).toEqual([1, true]);
});

test('a list adds tabs, removes those closed in another browser unless something was written, and not those being closed here', () => {
  const closed = opened(stored('closed in another browser', 1, { id: 'closed' }));
  const changed = written(opened(stored('x', 4, { id: 'changed' })), 'changed here');
  const local = newTab('local', { ...BLANK, sql: 'not stored' }, BLANK);
  const listed = [stored('new', 1, { id: 'new' }), stored('closing', 1, { id: 'closing' })];
  const tabs = mergedTabs([closed, changed, local], listed, new Set(['closing']));
  expect(tabs.map(({ id, version }) => [id, version])).toEqual([
    ['new', 1],
    ['changed', 0],
    ['local', 0],
  ]);
  expect(tabs.map(isDirty)).toEqual([false, true, true]);
});

test('a tab that was deleted and created again is merged, whatever its version', () => {
  const mine = written(opened(stored('a', 5)), 'mine');
  expect(mergedTab(mine, stored('theirs', 2)).conflict?.version).toBe(2);
});

test('the content of a stored tab is the same after a round trip', () => {
  const theirs = stored('SELECT $n, $m', 1, {
    parameters: [
      { name: 'n', type: 'int', value: '1' },
      { name: 'm', type: 'string', value: null },
    ],
    chart: { kind: 'line', x: 'a', y: 'b' },
  });
  expect(isDirty({ ...opened(theirs), content: contentOf(theirs) })).toBe(false);
});
