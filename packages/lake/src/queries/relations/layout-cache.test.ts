import type { EngineChild } from '../sandbox/child-process.ts';
import { QueryFixture } from '../testing/query-fixture.ts';
import { LayoutCache } from './layout-cache.ts';

let f: QueryFixture;
beforeAll(async () => {
  f = await QueryFixture.create();
});
afterAll(() => f.close());

test("a file's columns are read once for each owner, and never passed on to another", async () => {
  const file = await f.addTable('s.t', [{ name: 'n', type: 'int' }], 'SELECT 7 AS n');
  const path = await f.store.localPath(file.location);
  const layouts = new LayoutCache();
  let read = 0;
  /** @param planted what the process claims to be the name of the column */
  const columnOf = (owner: string | undefined, planted?: string) =>
    f.sandbox.withChild(async (child) => {
      const send = async (request: Parameters<EngineChild['send']>[0]) => {
        read += 1;
        const rows = (await child.send(request)) as unknown as (string | null)[][];
        return planted === undefined ? rows : rows.map(([name, column, ...rest]) => [name, column && planted, ...rest]);
      };
      const counted: EngineChild = Object.assign(Object.create(child), { send });
      return (await layouts.of(counted, [path])).get(path)!.columns[0]!.name;
    }, owner);
  expect([await columnOf('eve', 'planted'), await columnOf('eve')]).toEqual(['planted', 'planted']);
  expect(read).toBe(1);
  expect([await columnOf('ann'), await columnOf('ann')]).toEqual(['n', 'n']);
  expect(read).toBe(2);
  expect([await columnOf(undefined, 'planted'), await columnOf(undefined)]).toEqual(['planted', 'n']);
  expect(read).toBe(4);
});
