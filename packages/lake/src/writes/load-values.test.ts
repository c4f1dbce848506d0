import { QueryFixture } from '../queries/testing/query-fixture.ts';
import { joinLocation } from '../storage/index.ts';
import { fieldsOfColumns } from '../tables/index.ts';
import { type LoadFormat, load } from './index.ts';

let f: QueryFixture;
let files = 0;
beforeAll(async () => {
  f = await QueryFixture.create();
});
afterAll(() => f.close());

/** Loads one column `v`. */
async function loadValues(type: string, format: LoadFormat, data: string) {
  const { fields } = fieldsOfColumns([{ name: 'v', type }]);
  const location = joinLocation(f.store.root, 'uploads', `u${++files}`);
  await f.store.write(location, Buffer.from(data));
  const tableLocation = joinLocation(f.store.root, `loaded${files}`);
  const outcome = await load(f.sandbox, { source: { location, format }, fields, tableLocation, owner: 'somebody' });
  if (!outcome.ok) {
    for await (const left of f.store.list(tableLocation)) throw new Error(`${left.location} was left`);
    return outcome.error;
  }
  const scan = outcome.files.map((r) => ({ location: r.file_path, rows: 0, bytes: 0, deletes: [] }));
  f.relations.set('loaded', { kind: 'managed', fields, files: scan });
  return (await f.rows('select v from loaded')).map(([value]) => value);
}

const csv = (text: string) => `v\n\n"${text.replaceAll('"', '""')}"\n`;
const ndjson = (json: string) => `{}\n{"v":${json}}\n`;

/** The type, the value's JSON, and how it is named where that is another text. */
const WRONG: readonly (readonly [string, string, string?])[] = [
  ['list<int>', '["a"]'],
  ['list<int>', '[1.5]'],
  ['list<int>', '{"a":1}'],
  ['list<list<int>>', '[[1],["a"]]'],
  ['list<float>', '[1e39]', '[1e39]'],
  ['map<string,int>', '{"k":"y"}'],
  ['map<string,int>', '{"k":1,"k":2}'],
  ['map<int,int>', '{"1":1,"01":2}'],
  ['map<int,int>', '{"k":1}'],
  ['map<string,list<int>>', '{"k":[1,"x"]}'],
  ['struct<a: int>', '{"a":1,"b":2}'],
  ['struct<a: int, b: int>', '{"a":1}'],
  ['struct<a: int>', '{"a":1,"a":2}'],
  ['struct<a: struct<b: date>>', '{"a":{"b":"no"}}'],
  ['list<binary>', '["%"]'],
  ['double', '1e309'],
  ['double', '-1e400'],
  ['float', '"3.5e38"', '3.5e38'],
  ['decimal(10,2)', '1.239'],
  ['decimal(10,2)', '"1.2300000000000002"', '1.2300000000000002'],
  ['decimal(10,2)', '"1239e-3"', '1239e-3'],
  ['long', '"9007199254740993.5"', '9007199254740993.5'],
  ['date', '"2020-01-01T10:00:00"', '2020-01-01T10:00:00'],
  ['date', '"2020-01-01 foo"', '2020-01-01 foo'],
  ['time', '"12:00:00.1234567"', '12:00:00.1234567'],
  ['time', '"2020-01-01 10:00:00"', '2020-01-01 10:00:00'],
  ['timestamp', '"2020-01-01T00:00:00.1234567"', '2020-01-01T00:00:00.1234567'],
  ['timestamptz', '"2020-01-01T00:00:00.1234567Z"', '2020-01-01T00:00:00.1234567Z'],
];

const NAMED = WRONG.map(([type, json, named = json]) => [type, json, named] as const);

test.each(NAMED)('%s: %s is refused with line, column and value', async (type, json, named) => {
  const refused = { code: 'wrong-value', column: 'v', value: named };
  expect(await loadValues(type, 'ndjson', ndjson(json))).toMatchObject({ ...refused, line: 2 });
  expect(await loadValues(type, 'csv', csv(named))).toMatchObject({ ...refused, line: 3 });
});

const TAKEN: readonly (readonly [string, string, unknown])[] = [
  ['list<int>', '[1,null,"2",3.0]', [1, null, 2, 3]],
  ['list<int>', '[]', []],
  ['list<list<string>>', '[["a",1.5],null,[]]', [['a', '1.5'], null, []]],
  ['list<double>', '["inf",1]', ['Infinity', 1]],
  ['map<string,int>', '{"k":1,"l":null}', { k: 1, l: null }],
  ['map<string,int>', '{}', {}],
  [
    'struct<a: int, "b/c": list<decimal(10,2)>>',
    '{"b/c":[1.5,"2.250"],"a":null}',
    { a: null, 'b/c': ['1.50', '2.25'] },
  ],
  ['struct<a: struct<b: struct<c: binary>>>', '{"a":{"b":{"c":"aGk="}}}', { a: { b: { c: 'aGk=' } } }],
  ['double', '"inf"', 'Infinity'],
  ['double', '"-Infinity"', '-Infinity'],
  ['float', '"nan"', 'NaN'],
  ['decimal(10,2)', '"1.230"', '1.23'],
  ['decimal(10,2)', '"1.2e1"', '12.00'],
  ['date', '"2020-01-01T00:00:00"', '2020-01-01'],
  ['time', '"12:00:00.1230000"', '12:00:00.123'],
  ['timestamp', '"2020-01-01T00:00:00.1234560"', '2020-01-01T00:00:00.123456'],
];

test.each(TAKEN)('%s: %s is taken', async (type, json, value) => {
  const text: string = json.startsWith('"') ? JSON.parse(json) : json;
  expect(await loadValues(type, 'ndjson', ndjson(json))).toEqual([null, value]);
  expect(await loadValues(type, 'csv', csv(text))).toEqual([null, value]);
});
