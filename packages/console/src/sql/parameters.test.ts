import { inputsOf, optionsOf, type ParameterInput, parameterOfError, parametersOf, paramsOf } from './parameters.ts';

test.each([
  ['select 1', []],
  ['select * from t where a = $country and b > $Day and c = $COUNTRY', ['country', 'Day']],
  ['select $__proto__', ['__proto__']],
  ['select ?, ?', ['1', '2']],
  ['select $2, $1, $2', ['1', '2']],
  ['select \'$a\', "$b", $$ $c $$ -- $d\n/* $e ? */', []],
  ['select a$b from t', []],
  ["select '$a", null],
  ['select ($a', null],
])('the parameters of %j are %j', (sql, names) => expect(parametersOf(sql)).toEqual(names));

const inputs = new Map<string, ParameterInput>([
  ['country', { type: 'string', value: "D'E" }],
  ['day', { type: 'date', value: '2026-03-01' }],
  ['none', { type: 'null', value: 'ignored' }],
  ['1', { type: 'int', value: '5' }],
]);

test.each([
  [[], undefined],
  [['country', 'Day'], { country: "D'E", Day: { type: 'date', value: '2026-03-01' } }],
  [['unknown', 'none'], { unknown: '', none: null }],
  [['1'], [{ type: 'int', value: '5' }]],
  [['2'], [{ type: 'int', value: '5' }, '']],
  [['country', '1'], { country: "D'E" }],
])('the values of %j are sent as %j', (names, params) => expect(paramsOf(names, inputs)).toEqual(params));

test('a name that every object has is a name like others', () => {
  expect(JSON.stringify(paramsOf(['__proto__', 'constructor'], new Map()))).toBe('{"__proto__":"","constructor":""}');
});

test.each([
  [
    ['country', 'Day'],
    ["country=D'E", 'Day:date=2026-03-01'],
  ],
  [['none'], null],
  [['1'], null],
])('the options of %j are %j', (names, options) => expect(optionsOf(names, inputs)).toEqual(options));

test('values of a query become inputs again', () => {
  expect([...inputsOf({ A: 'x', b: 1, c: 3_000_000_000, d: 0.5, e: true, f: null })]).toEqual([
    ['a', { type: 'string', value: 'x' }],
    ['b', { type: 'int', value: '1' }],
    ['c', { type: 'long', value: '3000000000' }],
    ['d', { type: 'double', value: '0.5' }],
    ['e', { type: 'boolean', value: 'true' }],
    ['f', { type: 'null', value: '' }],
  ]);
  expect([...inputsOf([{ type: 'date', value: '2026-03-01' }])]).toEqual([
    ['1', { type: 'date', value: '2026-03-01' }],
  ]);
  expect(inputsOf(undefined).size).toBe(0);
});

test.each([
  ['wrong-parameters', 'The query has the parameter $day, but params has no value for it.', 'day'],
  ['wrong-parameters', 'The query has the parameter number 1, but params has no value for it.', '1'],
  ['execution-error', `Invalid date field format: "2026-03-01", expected format is …`, 'day'],
  ['execution-error', `Could not convert string 'x' to INT32`, null],
  ['binder-error', 'Referenced column "5" not found', null],
])('%s: %s is about %s', (code, message, name) =>
  expect(parameterOfError(['country', 'day', '1'], inputs, { code, message })).toBe(name),
);

test('an error is about no parameter if several have its value', () => {
  const same = new Map(['a', 'b'].map((name) => [name, { type: 'int', value: 'x' }]));
  const error = { code: 'execution-error', message: "Could not convert string 'x' to INT32" };
  expect(parameterOfError(['a', 'b'], same, error)).toBeNull();
});
