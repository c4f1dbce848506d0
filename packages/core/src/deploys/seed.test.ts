import { diagnosticText, parseSeed, type SeedFile } from './index.ts';
import { testAsset } from './testing/assets.ts';

const COLUMNS = [
  { name: 'code', type: 'string' },
  { name: 'population', type: 'long' },
];
const parse = (settings: string | null, more: Partial<SeedFile> = {}) =>
  parseSeed({ file: 'seeds/core/geo/countries.csv', sha256: 'ab', columns: COLUMNS, settings, ...more });

test('a seed is a table asset that is replaced, named by its path (DEPLOY-23)', () => {
  expect(parse(null)).toEqual({
    problems: [],
    asset: testAsset('core.geo.countries', {
      file: 'seeds/core/geo/countries.csv',
      source: { language: 'csv', file: 'seeds/core/geo/countries.csv', sha256: 'ab', columns: COLUMNS },
    }),
  });
});

test('its settings name the table, describe it, set types and add tags and checks (DEPLOY-23)', () => {
  const { asset, problems } = parse(`
table: ref.countries
description: Countries with their population
columns: { code: ISO 3166-1 }
types: { population: "decimal(12, 0)" }
tags: [reference]
checks:
  - unique: code
  - { name: not negative, sql: SELECT * FROM ref.countries WHERE population < 0 }
`);
  expect(problems).toEqual([]);
  expect(asset).toMatchObject({
    name: 'ref.countries',
    description: 'Countries with their population',
    columns: { code: 'ISO 3166-1' },
    tags: ['reference'],
    checks: [{ name: 'unique(code)' }, { name: 'not negative' }],
    file: 'seeds/core/geo/countries.yaml',
    source: { columns: [COLUMNS[0], { name: 'population', type: 'decimal(12,0)' }] },
  });
});

test.each<[string, string, string]>([
  ['mode: append', 'mode', 'seeds/core/geo/countries.yaml:1'],
  ['\ntypes: { population: number }', 'types.population: "number" is not a column type', 'countries.yaml:2'],
  ['types: { Code: string }', "types names the column Code, which the CSV file doesn't have", 'code, population'],
  ['columns: { nation: x }', "columns names the column nation, which the CSV file doesn't have", 'countries.yaml:1'],
  ['checks: [{ unique: [] }]', 'unique', 'countries.yaml:1'],
  ['table: countries', '"countries" is not a table name', 'countries.yaml:1'],
])('%j is a problem of the settings (DEPLOY-23)', (settings, message, more) => {
  const { asset, problems } = parse(settings);
  expect(asset).toBeNull();
  const text = problems.map(diagnosticText).join('\n');
  expect(text).toContain(message);
  expect(text).toContain(more);
});

test('a file that lies directly in seeds/ is not the name of a table (DEPLOY-23)', () => {
  expect(parse(null, { file: 'seeds/countries.csv' }).problems.map(diagnosticText)).toEqual([
    expect.stringContaining('asset countries: "countries" is not a table name'),
  ]);
});
