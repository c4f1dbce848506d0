import { invalid } from './api-error.ts';

test.each([
  [{ parameter: 'limit' }, 'must be a number', 'parameter limit: must be a number.'],
  [{ pointer: '/name' }, 'must be text.', 'field /name: must be text.'],
  [{ pointer: '' }, 'the file is empty', 'The file is empty.'],
])('the message for %j', (at, message, expected) => {
  expect(invalid(at, message)).toMatchObject({ detail: expected, errors: [{ ...at, message }] });
});

test('a command at the end of an error about an input has no full stop after it', () => {
  const at = { pointer: '/snapshot_id' };
  expect(invalid(at, 'no snapshot; to list them: svc table history a.b', 'svc table history a.b')).toMatchObject({
    detail: 'field /snapshot_id: no snapshot; to list them: svc table history a.b',
    remedy: 'svc table history a.b',
  });
});
