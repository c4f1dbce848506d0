import { queryParamsSchema } from './index.ts';

test.each<[unknown, boolean]>([
  [{ type: 'binary', value: 'AFz/YQ==' }, true],
  [{ type: 'binary', value: '' }, true],
  [{ type: 'binary', value: null }, true],
  [{ type: 'binary', value: 'AFz/YQ' }, false],
  [{ type: 'binary', value: 'a-_=' }, false],
  [{ type: 'binary', value: 5 }, false],
  [{ type: 'list<binary>', value: '' }, false],
  [{ type: 'blob of', value: '' }, false],
  [{ type: 'timestamp', value: '2026-01-02T03:04:05.000001000' }, true],
  [{ type: 'timestamp', value: '2026-01-02T03:04:05.000000001' }, false],
  [{ type: 'timestamptz', value: '2026-01-02T03:04:05.0000001+00:00' }, false],
  [{ type: 'time', value: '03:04:05.000000999' }, false],
  [{ type: 'string', value: '03:04:05.000000999' }, true],
  [{ type: 'double', value: 1e308 }, true],
  [{ type: 'double', value: 2 ** 60 }, true],
  [{ type: 'long', value: 2 ** 60 }, false],
  [{ type: 'long', value: String(2n ** 60n) }, true],
  [{ type: 'long', value: 5.5 }, false],
  [{ type: 'int', value: '5.5' }, false],
  [{ type: 'int', value: '55e-1' }, false],
  [{ type: 'long', value: '9007199254740993.5' }, false],
  [{ type: 'int', value: ' 5.00 ' }, true],
  [{ type: 'int', value: '5e2' }, true],
  [{ type: 'int', value: null }, true],
  [1e308, false],
  [0.5, true],
])('the value of a parameter %j is valid: %s (QUERY-12)', (value, isValid) => {
  expect(queryParamsSchema.safeParse({ v: value }).success).toBe(isValid);
  expect(queryParamsSchema.safeParse([value]).success).toBe(isValid);
});

test.each<[number, string, string | null]>([
  [1e308, '{"type": "double", "value": …}', 'decimal'],
  [-1e38, '{"type": "double", "value": …}', 'decimal'],
  [2 ** 60, '{"type": "decimal(38,0)", "value": "…"}', null],
])('the number %s as a parameter is rejected with a type that has it (QUERY-12)', (number, advice, other) => {
  const issues = JSON.stringify(queryParamsSchema.safeParse({ v: number }).error?.issues);
  expect(issues).toContain(JSON.stringify(advice).slice(1, -1).replaceAll('\\', '\\'));
  if (other !== null) expect(issues).not.toContain(other);
});
