import { userInfoOf } from './index.ts';

test.each([
  ['https://user:secret@host/', 'user', 'secret'],
  ['https://user%40corp:p%3Aw%20d@host/', 'user@corp', 'p:w d'],
  ['https://user:%C3%A4%F0%9F%94%91@host/', 'user', 'ä\u{1F511}'],
  ['https://user:100%@host/', 'user', '100%'],
  ['https://us%er:pa%ss%3A@host/', 'us%er', 'pa%ss:'],
  ['https://user:%ff%20@host/', 'user', '%ff%20'],
  ['https://host/', '', ''],
])('the user name and password of %s', (url, username, password) =>
  expect(userInfoOf(new URL(url))).toEqual({ username, password }),
);
