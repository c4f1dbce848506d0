import { type ColumnOption, chooseColumns } from './index.ts';

const COLUMNS = [
  { name: 'id', type: 'long' },
  { name: 'Amount', type: 'decimal(10,2)' },
  { name: 'amount', type: 'decimal(38,2)' },
  { name: 'paid', type: 'boolean' },
  { name: 'a.b', type: 'string' },
  { name: 'Größe "x"', type: 'uuid' },
  { name: 'place', type: 'struct<city: string>' },
  { name: 'tags', type: 'list<string>' },
];

test.each<[ColumnOption, string[], string[]]>([
  ['sort_by', [], []],
  ['sort_by', ['id', 'paid', 'a.b'], ['id', 'paid', 'a.b']],
  ['sort_by', ['ID'], ['id']],
  ['sort_by', ['amount', 'Amount'], ['amount', 'Amount']],
  ['sort_by', ['AMOUNT'], ['Amount']],
  ['bloom_filters', ['größe "x"', 'Amount'], ['Größe "x"', 'Amount']],
])('%s %j chooses %j', (option, names, chosen) => {
  expect(chooseColumns(option, names, COLUMNS)).toEqual({ ok: true, names: chosen });
});

test.each<[ColumnOption, string[], number, string]>([
  ['sort_by', ['id', 'nope'], 1, 'the table has no top-level column "nope"'],
  ['sort_by', ['place.city'], 0, 'the table has no top-level column "place.city"'],
  ['sort_by', ['place'], 0, 'has the type struct<city: string>, which has no order'],
  ['sort_by', ['id', 'tags'], 1, 'has the type list<string>, which has no order'],
  ['sort_by', ['id', 'ID'], 1, 'lists the column "id" twice'],
  ['bloom_filters', ['paid'], 0, 'has the type boolean, for which Parquet files get no bloom filter'],
  ['bloom_filters', ['id', 'amount'], 1, 'has the type decimal(38,2), for which'],
  ['bloom_filters', ['constructor'], 0, 'no top-level column "constructor"'],
])('%s %j is rejected at %d: %s', (option, names, index, message) => {
  expect(chooseColumns(option, names, COLUMNS)).toEqual({
    ok: false,
    index,
    message: expect.stringContaining(message),
  });
});
