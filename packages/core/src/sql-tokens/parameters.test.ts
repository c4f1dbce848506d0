import { parametersIn } from './index.ts';

test('parameters are found outside of texts, names and comments', () => {
  expect([...parametersIn('SELECT $Name, $1, \'$no\', "$no" -- $no')]).toEqual(['name', '1']);
});
