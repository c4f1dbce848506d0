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
])('the value of a parameter %j is valid: %s (QUERY-12)', (value, isValid) => {
  expect(queryParamsSchema.safeParse({ v: value }).success).toBe(isValid);
  expect(queryParamsSchema.safeParse([value]).success).toBe(isValid);
});
