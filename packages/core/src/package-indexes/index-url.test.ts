import fc from 'fast-check';
import { checkIndexUrl, comparableUrl, withoutUser } from './index-url.ts';
import { PUBLIC_HOSTS, TEST_FILE_HOST, TEST_HOST } from './public-hosts.ts';

const check = (url: string, credential = false) => checkIndexUrl(url, { credential });

describe('accepted and stored as (INDEX-8)', () => {
  test.each([
    ['https://example.org/simple', 'https://example.org/simple'],
    ['HTTPS://Example.ORG:443/Simple///', 'https://example.org/Simple'],
    ['https://example.org:8443/', 'https://example.org:8443'],
    ['https://example.org', 'https://example.org'],
    ['http://localhost:3141/root/dev/+simple/', 'http://localhost:3141/root/dev/+simple'],
    ['http://127.0.0.1:80/x', 'http://127.0.0.1/x'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
    ['https://10.0.0.8/x', 'https://10.0.0.8/x'],
    ['https://[2001:db8::1]/x', 'https://[2001:db8::1]/x'],
    [
      'https://gitlab.example.org/api/v4/projects/1234/packages/x/simple',
      'https://gitlab.example.org/api/v4/projects/1234/packages/x/simple',
    ],
    ['https://xn--bcher-kva.example/a-b_c.d~e+f@g', 'https://xn--bcher-kva.example/a-b_c.d~e+f@g'],
    [`https://${TEST_HOST}/simple`, `https://${TEST_HOST}/simple`],
    ['https://example.org:65535', 'https://example.org:65535'],
  ])('%s', (url, stored) => expect(check(url)).toMatchObject({ ok: true, url: stored }));

  test('a stored URL is already in stored form, and compares as equal to the original (INDEX-8)', () => {
    const part = fc.stringMatching(/^[A-Za-z0-9]{1,8}$/);
    const url = fc.tuple(part, fc.array(part, { maxLength: 3 }), fc.integer({ min: 1, max: 65_535 }), fc.nat(3));
    fc.assert(
      fc.property(url, ([host, path, port, slashes]) => {
        const written = `HTTPS://${host}a.Example:${port}/${path.join('/')}${'/'.repeat(slashes)}`;
        const first = check(written);
        if (!first.ok) return false;
        const again = check(first.url);
        return again.ok && again.url === first.url && comparableUrl(written) === first.url;
      }),
    );
  });
});

describe('refused with the broken rule (INDEX-1, INDEX-2, INDEX-3, INDEX-4, INDEX-5, INDEX-11)', () => {
  test.each([
    [`https://example.org/${'a'.repeat(1_010)}`, 1, '1024'],
    ['https://bücher.example/x', 1, 'xn--'],
    ['https://example.org/\u0007', 1, 'ASCII'],
    ['https://example.org\\@evil.example/', 1, 'backslash'],
    ['ftp://example.org/x', 2, 'https://'],
    ['example.org/simple', 2, 'https://'],
    ['', 2, 'https://'],
    ['http://example.org:8080/simple', 2, 'write https://example.org:8080/simple'],
    ['http://10.0.0.8/simple', 2, 'loopback'],
    ['http://127.0.0.1.example.org/', 2, 'loopback'],
    ['https://user@example.org/simple', 3, 'secret'],
    ['https://user:secret@example.org/simple', 3, 'secret'],
    ['https://example.org/simple?x=1', 3, '"?"'],
    ['https://example.org/simple#x', 3, '"#"'],
    ['https:///simple', 4, 'no host'],
    ['https://my_host.example/x', 4, 'underscore'],
    ['https://example.org./x', 4, 'write example.org'],
    ['https://exa mple.org/x', 4, 'DNS name'],
    ['https://-example.org/x', 4, 'DNS name'],
    ['https://127.1/x', 4, 'four decimal'],
    ['https://2130706433/x', 4, 'four decimal'],
    ['https://0x7f.0.0.1/x', 4, 'four decimal'],
    ['https://010.0.0.8/x', 4, 'four decimal'],
    ['https://[0:0:0:0:0:0:0:1]/x', 4, 'write [::1]'],
    ['https://[::ffff:169.254.169.254]/x', 4, '[::ffff:a9fe:a9fe]'],
    ['https://[::ffff:a9fe:a9fe]/x', 4, 'metadata'],
    ['https://169.254.169.254/x', 4, 'metadata'],
    ['https://100.100.100.200/x', 4, 'metadata'],
    ['https://168.63.129.16/x', 4, 'metadata'],
    ['https://[64:ff9b::a9fe:a9fe]/x', 4, 'metadata'],
    ['https://[64:ff9b::6464:64c8]/x', 4, 'metadata'],
    ['https://[2002:a9fe:a9fe::]/x', 4, 'metadata'],
    ['https://[fd00:ec2::254]/x', 4, 'metadata'],
    ['https://2852039166/x', 4, 'four decimal'],
    ['https://[fe80::1]/x', 4, 'link-local'],
    ['https://[fe80::1%25eth0]/x', 4, 'not an IPv6'],
    ['https://example.org:0/x', 4, 'port'],
    ['https://example.org:65536/x', 4, '65535'],
    ['https://example.org:/x', 4, 'port'],
    ['https://a:b:c/x', 4, 'port'],
    ['https://example.org/a//b', 5, 'empty segment'],
    ['https://example.org//a', 5, 'empty segment'],
    ['https://example.org/a/../b', 5, '".."'],
    ['https://example.org/./b', 5, '"."'],
    ['https://example.org/a%20b', 5, 'percent'],
    ['https://example.org/a b', 5, 'space'],
    ['https://example.org/ä', 1, 'remove them'],
    ['https://example.org/a\n', 1, 'remove them'],
    ['https://exämple.org/', 1, 'xn--'],
    ['https://[::1/x', 4, '"[::1"'],
    ['https://[::1]x/', 4, '"[::1]x"'],
    ['https://example.org/a*b', 5, '"*"'],
  ])('%s', (url, rule, text) => {
    const result = check(url);
    if (result.ok) throw new Error('accepted');
    expect(result.problem.rule).toBe(rule);
    const sentence = `${result.problem.message}; ${result.problem.remedy}`;
    expect(sentence).toContain(text);
    expect(sentence).not.toContain('user:secret');
  });

  test.each(
    PUBLIC_HOSTS.flatMap((host) => [
      `https://${host}/simple`,
      `HTTPS://${host.toUpperCase()}:443/x/`,
      `http://${host}/simple`,
    ]),
  )('%s with and without a credential (INDEX-6)', (url) => {
    for (const credential of [true, false]) {
      expect(check(url, credential)).toMatchObject({ ok: false, problem: { rule: 6 } });
    }
  });

  test.each([TEST_HOST, TEST_FILE_HOST])('%s, a host of the test index, with a credential (INDEX-7)', (host) => {
    expect(check(`https://${host}/simple`)).toMatchObject({ ok: true });
    const result = check(`https://${host}/simple`, true);
    expect(result).toMatchObject({
      ok: false,
      problem: { rule: 7, message: expect.stringContaining("the test index's address") },
    });
  });
});

test('the user name is removed from what is shown', () => {
  expect(withoutUser('https://u:p@w@example.org/x')).toBe('https://example.org/x');
  expect(withoutUser('https://example.org/a@b')).toBe('https://example.org/a@b');
});
