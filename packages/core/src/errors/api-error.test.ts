import { invalid } from './api-error.ts';

test.each([
  [{ parameter: 'limit' }, 'must be a number', 'parameter limit: must be a number.'],
  [{ pointer: '/name' }, 'must be text.', 'field /name: must be text.'],
  [{ pointer: '' }, 'the file is empty', 'The file is empty.'],
])('the message for %j', (at, message, expected) => {
  expect(invalid(at, message)).toMatchObject({ detail: expected, errors: [{ ...at, message }] });
});
