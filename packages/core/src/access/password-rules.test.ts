import { passwordWeakness } from './password-rules.ts';

const COMMON = new Set(['password', 'iloveyou', '1q2w3e4r5t6y', 'letmein']);
const weakness = (password: string, name = 'ann') =>
  passwordWeakness(password, { name, isCommon: (text) => COMMON.has(text) });

test.each([
  ['aaaaaaaaaaaa', 'repeats'],
  ['ababababababcab', 'repeats'],
  ['123456789012', 'sequence'],
  ['098765432109', 'sequence'],
  ['abcdefghijkl', 'sequence'],
  ['qwertyuiopas', 'sequence'],
  ['ABCD1234qwer', 'sequence'],
  ['svc-2026-11-26', 'product'],
  ['SVC1234svc98', 'product'],
  ['1q2w3e4r5t6Y', 'common'],
  ['Password2026!', 'common'],
  ['123!iloveyou', 'common'],
  ['letmeinletmein', 'common'],
  ['ｐａｓｓｗｏｒｄ２０２６', 'common'],
])('%s is refused (ACCESS-38)', (password, reason) => {
  expect(weakness(password)).toContain(reason);
});

test.each([
  ['ann-2026-1126', 'ann'],
  ['AnnSmithAnnSmith', 'ann.smith'],
  ['Zoë2026Zoë77', 'zoë'],
])('%s is refused for %s (ACCESS-38)', (password, name) => {
  expect(weakness(password, name)).toBe('it is your name');
});

test.each([
  'correct horse battery',
  'another word',
  'a long password',
  '839201948271',
  'x7#kQ9!mZ2$v',
  'planning with ann',
  'пароль из слов',
  '🐙🌵🎺🚲 and more',
  'password of the day',
])('%s is accepted (ACCESS-38)', (password) => {
  expect(weakness(password)).toBeNull();
});

test('a name without letters or digits matches nothing', () => {
  expect(weakness('correct horse battery', '---')).toBeNull();
});

test('a password of the greatest length takes linear time', () => {
  expect(weakness('ab1!'.repeat(256))).toBeNull();
});
