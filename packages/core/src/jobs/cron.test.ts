import { neverFires, parseCron } from './cron.ts';

function parse(text: string) {
  const result = parseCron(text);
  if (!result.ok) throw new Error(result.problem.message);
  return result.cron;
}

describe('values of a field (CRON-1, CRON-2, CRON-3)', () => {
  test.each([
    ['5/20 * * * *', 'minute', [5, 25, 45]],
    ['*/15 * * * *', 'minute', [0, 15, 30, 45]],
    ['1,2,2,1 * * * *', 'minute', [1, 2]],
    ['0-10/5 * * * *', 'minute', [0, 5, 10]],
    ['0 22-23 * * *', 'hour', [22, 23]],
    ['0 0 1 JAN,feb,Dec *', 'month', [1, 2, 12]],
    ['0 0 1 mar-May *', 'month', [3, 4, 5]],
    ['0 0 * * 0', 'weekday', [0]],
    ['0 0 * * 7', 'weekday', [0]],
    ['0 0 * * 0,7', 'weekday', [0]],
    ['0 0 * * 5-7', 'weekday', [0, 5, 6]],
    ['0 0 * * fri-SUN', 'weekday', [0, 5, 6]],
    ['0 0 * * sun-tue', 'weekday', [0, 1, 2]],
    ['0 0 * * 5/1', 'weekday', [0, 5, 6]],
    ['@weekly', 'weekday', [0]],
    ['@Yearly', 'month', [1]],
  ] as const)('%s', (text, field, values) => {
    expect(parse(text)[field].values).toEqual(values);
  });

  test('a field that starts with a star is marked, also with a step; a full range is not (CRON-4)', () => {
    expect(parse('0 */2 * * *').hour.star).toBe(true);
    expect(parse('0 0-23 * * *').hour.star).toBe(false);
  });
});

describe('invalid texts are refused with the field to change (CRON-1)', () => {
  test.each([
    ['', null, 'five'],
    ['5', null, '1 field, not five'],
    ['* * * *', null, 'four'],
    ['0 0 0 * * *', null, 'seconds'],
    ['@reboot', null, 'manually'],
    ['@often', null, '@hourly'],
    ['60 * * * *', 'minute', '0 to 59'],
    ['-1 * * * *', 'minute', '0 to 59'],
    ['*/0 * * * *', 'minute', 'whole number from 1'],
    ['1//2 * * * *', 'minute', 'step'],
    ['1,,2 * * * *', 'minute', 'comma'],
    ['0 24 * * *', 'hour', '0 to 23'],
    ['0 22-2 * * *', 'hour', '22-23,0-2'],
    ['0 0 0 * *', 'day of month', '1 to 31'],
    ['0 0 L * *', 'day of month', 'day numbers'],
    ['0 0 15W * *', 'day of month', 'day numbers'],
    ['0 0 ? * *', 'day of month', '"*"'],
    ['0 0 1 13 *', 'month', 'jan'],
    ['0 0 1 mai *', 'month', 'dec'],
    ['0 0 * * 8', 'day of week', '0 to 7'],
    ['0 0 * * 5#2', 'day of week', '8-14'],
    ['0 0 * * fri-mon', 'day of week', 'fri-6,0-mon'],
  ])('%s', (text, field, hint) => {
    const result = parseCron(text);
    if (result.ok) throw new Error('accepted');
    expect(result.problem.field).toBe(field);
    if (hint !== 'four') expect(`${result.problem.message} ${result.problem.remedy}`).toContain(hint);
  });
});

describe('a cron that can never fire (CRON-5)', () => {
  test.each([
    ['0 0 30 2 *', 29],
    ['0 0 31 4,6,9,11 *', 30],
    ['0 0 30,31 feb *', 29],
    ['0 0 31 2 */2', 29],
  ])('%s names the day of month', (text, longest) => {
    expect(neverFires(parse(text))).toMatchObject({ field: 'day of month' });
    expect(neverFires(parse(text))?.remedy).toContain(String(longest));
  });

  test.each(['0 0 29 2 *', '0 0 31 2,3 *', '0 0 31 2 1', '0 0 */31 2 *', '* * * * *'])('%s fires', (text) => {
    expect(neverFires(parse(text))).toBeNull();
  });
});

test.each([
  ['0 0 * * 7-1', 'write it as 0-1'],
  ['0 0 * * 7-6', 'write it as 0-6'],
  ['0 0 * * 5-1', 'write it as two ranges: 5-6,0-1'],
  ['50-10 * * * *', 'write it as two ranges: 50-59,0-10'],
])('the range suggested for %s is valid', (text, remedy) => {
  const result = parseCron(text);
  if (result.ok) throw new Error('taken');
  expect(result.problem.remedy).toBe(remedy);
  const suggestion = remedy.split(' ').at(-1)!;
  expect(parseCron(text.replace(/\S+-\S+/, suggestion)).ok).toBe(true);
});
