import fc from 'fast-check';
import { redactingFilter, redactor } from './redaction.ts';

const user = 'someone-long';
const password = 'p@ss word/1:ü';
const pair = `${user}:${password}`;

test.each([
  ['plain', password],
  ['percent-encoded', encodeURIComponent(password)],
  ['percent-encoded in small letters', encodeURIComponent(password).toLowerCase()],
  ['as a browser encodes it', new URL(`http://u:${encodeURIComponent(password)}@x`).password],
  ['a form', encodeURIComponent(password).replaceAll('%20', '+')],
  ['the pair', pair],
  ['the pair in a URL', `https://${encodeURIComponent(user)}:${encodeURIComponent(password)}@index.example/x`],
  ['basic authentication', `Basic ${Buffer.from(pair).toString('base64')}`],
  ['basic authentication without its end', Buffer.from(pair).toString('base64').replace(/=+$/, '')],
  ['base64url', Buffer.from(pair).toString('base64url')],
  ['the user name', `user ${user}`],
])('%s is taken out (LOCK-8, SECRET-3)', (_, text) => {
  const shown = redactor([{ username: user, password }])(`before ${text} after`);
  expect(shown).toContain('***');
  for (const part of ['p@ss', 'word/1', 'p%40ss', 'p%40SS', user, Buffer.from(pair).toString('base64').slice(0, 12)])
    expect(shown).not.toContain(part);
  expect(shown).toMatch(/^before .*after$/s);
});

test.each(['ci', '__token__', 'oauth2accesstoken', '_json_key_base64', 'gitlab-ci-token', 'VssSessionToken'])(
  'the user name %s stays (SECRET-3)',
  (username) => expect(redactor([{ username, password }])(`as ${username}`)).toBe(`as ${username}`),
);

test('without credentials, output passes at once and unchanged', () => {
  const filter = redactingFilter([]);
  expect([filter.push('abc'), filter.end()]).toEqual(['abc', '']);
});

test('a filter retains only what could be the start of a credential', () => {
  const filter = redactingFilter([{ username: '', password: 'secret' }]);
  expect(['done\n', 'the sec', 'ond ', 'sec', 'ret.'].map((text) => filter.push(text))).toEqual([
    'done\n',
    'the ',
    'second ',
    '',
    '***.',
  ]);
});

test('wherever the output is cut, no piece of a credential comes through', () => {
  const secret = fc.string({ unit: fc.constantFrom('a', 'b', ':', '/', '%', '\n', 'é'), minLength: 2, maxLength: 12 });
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' ') }), { maxLength: 5 });
  fc.assert(
    fc.property(secret, secret, texts, fc.infiniteStream(fc.integer({ min: 1, max: 4 })), (one, two, around, cuts) => {
      const credentials = [
        { username: '', password: one },
        { username: two, password: two },
      ];
      const whole = around.join(one) + two;
      const filter = redactingFilter(credentials);
      let shown = '';
      for (let at = 0; at < whole.length; ) {
        const size = cuts.next().value!;
        shown += filter.push(whole.slice(at, at + size));
        at += size;
      }
      shown += filter.end();
      expect(shown).toBe(redactor(credentials)(whole));
      for (const hidden of [one, two]) if (!hidden.includes('*')) expect(shown).not.toContain(hidden);
    }),
  );
});
