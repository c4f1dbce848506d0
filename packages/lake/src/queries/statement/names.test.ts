import { NamesEngine } from './testing/names-engine.ts';

// A million statements in names.long.test.ts.
test('names mean what they mean to DuckDB', async () => {
  const engine = await NamesEngine.open();
  const { differing, compared } = await engine.differences(20, 4000);
  await engine.close();
  expect(differing.slice(0, 3)).toEqual([]);
  // The others fail, in both forms.
  expect(compared).toBeGreaterThan(2000);
}, 120_000);
