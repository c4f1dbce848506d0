import { escapeFormula } from './index.ts';

test.each(['=1+1', '+49', '-5', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\ufeff=1', '＝1+1', '＋1', '－1', '＠a'])(
  '%j has an apostrophe before it (QUERY-22)',
  (text) => expect(escapeFormula(text)).toBe(`'${text}`),
);

test.each(['', 'a=1', '1+1', ' =1', "'=1", '{"a":"=1"}', 'ü', '（'])('%j stays as it is (QUERY-22)', (text) =>
  expect(escapeFormula(text)).toBe(text),
);
