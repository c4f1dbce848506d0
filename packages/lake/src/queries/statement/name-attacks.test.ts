import { QueryFixture } from '../testing/query-fixture.ts';
import { attacksOn, HIDDEN, HiddenTable } from './testing/hidden-table.ts';

let table: HiddenTable;
beforeAll(async () => {
  table = await HiddenTable.open();
});
afterAll(() => table.close());

/** The view's text holds the path, so that what shows it shows the path too. */
const reveals = (shown: string) => shown.includes(HIDDEN) || shown.includes(table.file);

const revealing = async (walls: Parameters<HiddenTable['shown']>[1]) => {
  const found: string[] = [];
  for (const sql of attacksOn(table.file)) if (reveals(await table.shown(sql, walls))) found.push(sql);
  return found;
};

test('the statements read what is hidden without both walls', async () => {
  const [recursive] = attacksOn(table.file);
  const found = await revealing({ resolution: false, renaming: false });
  expect(found).toContain(recursive);
  expect(found.filter((sql) => sql.includes('duckdb_views'))).not.toEqual([]);
});

test('either wall alone hides it', async () => {
  expect(await revealing({ resolution: true, renaming: false })).toEqual([]);
  expect(await revealing({ resolution: false, renaming: true })).toEqual([]);
});

test('queries do not show what a row filter hides, by any of these statements', async () => {
  const f = await QueryFixture.create();
  try {
    const columns = [{ name: 'name', type: 'string' }];
    const policies = { rowFilters: [{ predicate: `name <> '${HIDDEN}'` }] };
    const { location } = await f.addTable('sales.people', columns, `SELECT '${HIDDEN}' AS name`, policies);
    const file = await f.store.localPath(location);
    const shown: string[] = [];
    for (const sql of ['SELECT * FROM sales.people', ...attacksOn(file)]) {
      const outcome = JSON.stringify(await f.query(sql));
      if (outcome.replaceAll(sql, '').includes(HIDDEN) && !sql.includes('error(')) shown.push(sql);
    }
    expect(shown).toEqual([]);
  } finally {
    await f.close();
  }
}, 120_000);
