import { unknownColumn } from './unknown-column.ts';

test('the message about an unknown column lists the others, but not thousands of them', () => {
  expect(unknownColumn('c', [{ name: 'a' }, { name: 'b' }])).toBe('the table has no column c; its columns: a, b');
  const many = Array.from({ length: 5000 }, (_, i) => ({ name: `column_${i}` }));
  const message = unknownColumn('c', many);
  expect(message.length).toBeLessThan(1100);
  expect(message).toMatch(/column_1, .* …$/);
});
