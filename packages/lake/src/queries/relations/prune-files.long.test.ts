import { PruningFixture } from '../testing/pruning-fixture.ts';

// The wide tables; prune-files.test.ts has the others.
let fixture: PruningFixture;
beforeAll(async () => {
  fixture = await PruningFixture.open();
});
afterAll(() => fixture.close());

test.each([
  'version1',
  'partitioned_equality',
  'dropped_keys',
  'specs',
  'types',
  'buckets',
  'truncated',
  'dates',
  'identities',
  'floats',
  'migrated',
])('no file of %s that has a requested row is skipped', async (name) => {
  expect(await fixture.wrong(name)).toEqual([]);
});
