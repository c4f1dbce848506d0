import { RandomTranslations } from './testing/random-translations.ts';

// TRANSLATIONS=100000 TRANSLATIONS_SEED=7 npm run test:long -- random-translations
const COUNT = Number(process.env['TRANSLATIONS'] ?? 20_000);
const SEED = Number(process.env['TRANSLATIONS_SEED'] ?? Date.now() % 1_000_000);

let translations: RandomTranslations;
beforeAll(async () => {
  translations = await RandomTranslations.open();
});
afterAll(() => translations.close());

test(`${COUNT} statements name nothing in Trino's SQL that their author chose (seed ${SEED})`, async () => {
  const { foreign, printed } = await translations.run(SEED, COUNT);
  expect(foreign).toEqual([]);
  expect(printed).toBeGreaterThan(0);
});
