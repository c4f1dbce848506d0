import { chartChoice, chartData, scaleOf } from './chart-data.ts';

const columnsOf = (...types: string[]) => types.map((type, index) => ({ name: 'abcdef'[index]!, type }));

test.each([
  ['long', 'number'],
  ['decimal(10,2)', 'number'],
  ['date', 'calendar'],
  ['timestamp', 'calendar'],
  ['timestamptz', 'clock'],
  ['time', 'text'],
  ['string', 'text'],
])('%s is shown as %s', (type, scale) => expect(scaleOf(type)).toBe(scale));

test.each([
  [['long', 'double'], {}, { kind: 'line', x: 0, y: 1 }],
  [['long'], {}, { kind: 'line', x: 0, y: 0 }],
  [['string', 'long'], {}, { kind: 'bar', x: 0, y: 1 }],
  [['long', 'string', 'date'], {}, { kind: 'line', x: 2, y: 0 }],
  [['string', 'boolean'], {}, null],
  [['long', 'long', 'long'], { x: 'c', y: 'a', kind: 'scatter' }, { kind: 'scatter', x: 2, y: 0 }],
  [['long', 'long'], { x: 'a' }, { kind: 'line', x: 0, y: 1 }],
  [['string', 'long'], { x: 'gone', y: 'a', kind: 'pie' }, { kind: 'bar', x: 0, y: 1 }],
])('columns of %j with the choice %j', (types, chosen, choice) =>
  expect(chartChoice(columnsOf(...types), chosen)).toEqual(choice),
);

const dataOf = (types: string[], rows: unknown[][]) =>
  chartData({ columns: columnsOf(...types), rows }, { kind: 'line', x: 0, y: 1 });

test('numbers are sorted; values that are not finite are gaps', () =>
  expect(
    dataOf(
      ['long', 'decimal(4,2)'],
      [
        [3, '1.50'],
        ['1', null],
        [2, 'NaN'],
        [null, 1],
        ['Infinity', 1],
      ],
    ),
  ).toEqual({ scale: 'number', x: [1, 2, 3], y: [null, null, 1.5], labels: [], omitted: 2 }));

test('times without a zone are those of the calendar', () => {
  const noon = Date.UTC(2026, 2, 1, 12);
  expect(dataOf(['timestamp', 'long'], [['2026-03-01T12:00:00.123456', 1]]).x).toEqual([noon + 123]);
  expect(
    dataOf(
      ['date', 'long'],
      [
        ['2026-03-01', 1],
        ['broken', 2],
      ],
    ),
  ).toMatchObject({
    x: [Date.UTC(2026, 2, 1)],
    omitted: 1,
  });
  expect(dataOf(['timestamptz', 'long'], [['2026-03-01T13:00:00+01:00', 1]]).x).toEqual([noon]);
});

test('texts keep their order', () =>
  expect(
    dataOf(
      ['string', 'long'],
      [
        ['b\u202e', 1],
        [null, 2],
      ],
    ),
  ).toEqual({
    scale: 'text',
    x: [0, 1],
    y: [1, 2],
    labels: ['b\\u202e', 'null'],
    omitted: 0,
  }));
