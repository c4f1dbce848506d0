import { changeLines } from './change-lines.ts';

test('assets come before jobs, with what differs', () => {
  const id = { name: 'id', type: 'long' };
  expect(
    changeLines({
      assets: {
        added: [
          { name: 'a.new', kind: 'table', columns: [id] },
          { name: 'a.hidden', kind: 'view', columns: null },
        ],
        removed: [{ name: 'a.old', kind: 'table' }],
        changed: [
          {
            ...{ name: 'a.moved', kind: 'table', changes: ['sql', 'tags'] },
            columns: { added: [id], removed: [], changed: [{ name: 'n', type: 'long', previous_type: 'int' }] },
          },
          { name: 'a.typed', kind: 'table', changes: [], columns: { added: [], removed: [id], changed: [] } },
        ],
      },
      jobs: { added: ['new'], removed: [], changed: [{ name: 'nightly', changes: ['cron', 'time zone'] }] },
    }).map(({ what, object, name, details }) => [what, object, name, details.join(' | ')]),
  ).toEqual([
    ['added', 'asset', 'a.new', 'table, 1 column'],
    ['added', 'asset', 'a.hidden', 'view'],
    ['removed', 'asset', 'a.old', 'table'],
    ['changed', 'asset', 'a.moved', 'sql, tags | + id long | n int → long'],
    ['changed', 'asset', 'a.typed', 'columns | − id long'],
    ['added', 'job', 'new', ''],
    ['changed', 'job', 'nightly', 'cron, time zone'],
  ]);
});

test('unknown changes have no lines', () => expect(changeLines({ assets: null, jobs: null })).toEqual([]));
