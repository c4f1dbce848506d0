import { returnPath } from './index.ts';

test.each([
  ['/dev/catalog?q=a#b', '/dev/catalog?q=a#b'],
  ['//evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['/\t/evil.example', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['/sign-in?to=/sign-in', '/'],
  ['dev', '/'],
  [undefined, '/'],
  [['/a'], '/'],
])('%j leads to %s', (to, path) => expect(returnPath(to)).toBe(path));
