import { NamesEngine } from './testing/names-engine.ts';

const COUNT = Number(process.env['NAMES_STATEMENTS'] ?? 1_000_000);
const SEED = Number(process.env['NAMES_SEED'] ?? 1);
const AT_ONCE = 50_000;

test(`names mean what they mean to DuckDB in ${COUNT} statements from seed ${SEED}`, async () => {
  for (let done = 0; done < COUNT; done += AT_ONCE) {
    const engine = await NamesEngine.open();
    const { differing } = await engine.differences(SEED + done, Math.min(AT_ONCE, COUNT - done));
    await engine.close();
    expect(differing.slice(0, 3)).toEqual([]);
  }
});
