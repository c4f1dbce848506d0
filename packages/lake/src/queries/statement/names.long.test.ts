import { NamesEngine } from './testing/names-engine.ts';

const COUNT = Number(process.env['NAMES_STATEMENTS'] ?? 1_000_000);
const SEED = Number(process.env['NAMES_SEED'] ?? 1);
const AT_ONCE = 50_000;

// A test for each part: the time limit of one test would not last for all of them.
test.each(
  Array.from({ length: Math.ceil(COUNT / AT_ONCE) }, (_, part) => [
    Math.min(AT_ONCE, COUNT - part * AT_ONCE),
    SEED + part * AT_ONCE,
  ]),
)('names mean what they mean to DuckDB in %i statements from seed %i', async (count, seed) => {
  const engine = await NamesEngine.open();
  const { differing } = await engine.differences(seed, count);
  await engine.close();
  expect(differing.slice(0, 3)).toEqual([]);
});
