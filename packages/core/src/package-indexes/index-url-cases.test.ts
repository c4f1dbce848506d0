import fc from 'fast-check';
import { checkIndexUrl, comparableUrl } from './index-url.ts';

const check = (url: string, credential = false) => checkIndexUrl(url, { credential });
const LABEL63 = 'a'.repeat(63);

describe('valid as written, or normalized (INDEX-8)', () => {
  test.each([
    ['https://a', 'https://a'],
    ['https://A.B.C', 'https://a.b.c'],
    ['https://a-b.example', 'https://a-b.example'],
    ['https://a--b.example', 'https://a--b.example'],
    ['https://1.example', 'https://1.example'],
    ['https://1and1.example', 'https://1and1.example'],
    [`https://${LABEL63}.example`, `https://${LABEL63}.example`],
    ['https://xn--not-checked-here.example', 'https://xn--not-checked-here.example'],
    ['https://XN--BCHER-KVA.example/x', 'https://xn--bcher-kva.example/x'],
    ['https://localhost', 'https://localhost'],
    ['http://localhost', 'http://localhost'],
    ['http://LOCALHOST:80/', 'http://localhost'],
    ['http://localhost:443/', 'http://localhost:443'],
    ['https://localhost:80/', 'https://localhost:80'],
    ['http://127.0.0.1', 'http://127.0.0.1'],
    ['http://127.255.255.254:8080/x/', 'http://127.255.255.254:8080/x'],
    ['http://[::1]', 'http://[::1]'],
    ['https://[::1]:443/', 'https://[::1]'],
    ['https://192.168.0.1/simple', 'https://192.168.0.1/simple'],
    ['https://0.0.0.1', 'https://0.0.0.1'],
    ['https://255.255.255.255', 'https://255.255.255.255'],
    ['https://[2001:DB8::1]', 'https://[2001:db8::1]'],
    ['https://[fd00::1]:8443/a', 'https://[fd00::1]:8443/a'],
    ['https://a.example:1', 'https://a.example:1'],
    ['https://a.example:65535/', 'https://a.example:65535'],
    ['https://a.example:0443/x', 'https://a.example/x'],
    ['https://a.example:08443', 'https://a.example:8443'],
    ['https://a.example/', 'https://a.example'],
    ['https://a.example////', 'https://a.example'],
    ['https://a.example/X/Y', 'https://a.example/X/Y'],
    ['https://a.example/simple/', 'https://a.example/simple'],
    ['https://a.example/root/pypi/+simple', 'https://a.example/root/pypi/+simple'],
    ['https://a.example/root/dev/+simple/', 'https://a.example/root/dev/+simple'],
    [
      'https://a.example/api/v4/projects/42/packages/pypi/simple',
      'https://a.example/api/v4/projects/42/packages/pypi/simple',
    ],
    ['https://a.example/artifactory/api/pypi/x-y/simple', 'https://a.example/artifactory/api/pypi/x-y/simple'],
    ['https://a.example/repository/x_y/simple', 'https://a.example/repository/x_y/simple'],
    ['https://a.example/~user/x', 'https://a.example/~user/x'],
    ['https://a.example/a@b', 'https://a.example/a@b'],
    ['https://a.example/...', 'https://a.example/...'],
    ['https://a.example/.hidden', 'https://a.example/.hidden'],
    ['https://a.example/a..b', 'https://a.example/a..b'],
    [`https://a.example/${'p'.repeat(1006)}`, `https://a.example/${'p'.repeat(1006)}`],
    ['hTTps://a.example', 'https://a.example'],
  ])('%s', (url, stored) => {
    expect(check(url)).toMatchObject({ ok: true, url: stored });
    expect(check(stored, true)).toMatchObject({ ok: true, url: stored });
    expect(comparableUrl(stored)).toBe(stored);
  });
});

describe('refused with the broken rule and what to write instead (INDEX-4, INDEX-5, INDEX-11)', () => {
  test.each([
    [1, `https://a.example/${'p'.repeat(1007)}`],
    [1, 'https://a.example/\u00e4'],
    [1, 'https://a.example/\t'],
    [1, 'https://a.example/\n'],
    [1, '\u200bhttps://a.example'],
    [1, 'https://a.example/\u007f'],
    [1, 'https:\\\\a.example'],
    [1, 'https://a.example/a\\b'],
    [2, 'https:a.example'],
    [2, 'https:/a.example'],
    [2, '//a.example'],
    [2, 'a.example'],
    [2, 'git+https://a.example'],
    [2, 'file:///srv/wheels'],
    [2, 'ssh://a.example'],
    [2, ' https://a.example'],
    [2, 'http://a.example'],
    [2, 'http://localhost.example'],
    [2, 'http://127.example'],
    [2, 'http://[2001:db8::1]'],
    [2, 'http://192.168.0.1'],
    [3, 'https://@a.example'],
    [3, 'https://:@a.example'],
    [3, 'https://u@a.example'],
    [3, 'https://u:p@a.example'],
    [3, 'https://u:p@w@a.example'],
    [3, 'https://a.example@evil.example'],
    [3, 'https://a.example?'],
    [3, 'https://a.example/?x'],
    [3, 'https://a.example#'],
    [3, 'https://a.example/x#egg'],
    [4, 'https://'],
    [4, 'https://:443/'],
    [4, 'https://.example'],
    [4, 'https://a..example'],
    [4, 'https://a.example.'],
    [4, 'https://-a.example'],
    [4, 'https://a-.example'],
    [4, 'https://a_b.example'],
    [4, 'https://*.example'],
    [4, 'https://a%2eexample'],
    [4, 'https://a b.example'],
    [4, `https://${LABEL63}a.example`],
    [4, `https://${`${LABEL63}.`.repeat(4)}example`],
    [4, 'https://1'],
    [4, 'https://1.2.3'],
    [4, 'https://1.2.3.4.5'],
    [4, 'https://256.1.1.1'],
    [4, 'https://01.2.3.4'],
    [4, 'https://0x7f.1'],
    [4, 'https://0x7f000001'],
    [4, 'https://127.0.0.0x1'],
    [4, 'https://[]'],
    [4, 'https://[::1'],
    [4, 'https://::1'],
    [4, 'https://[::1]x'],
    [4, 'https://[::0:1]'],
    [4, 'https://[2001:db8:0:0::1]'],
    [4, 'https://[::ffff:127.0.0.1]'],
    [4, 'https://[fe80::1]'],
    [4, 'https://[fe80::1%eth0]'],
    [4, 'https://[febf::1]'],
    [4, 'https://[fd00:ec2::254]'],
    [4, 'https://169.254.0.1'],
    [4, 'https://[::ffff:a9fe:1]'],
    [4, 'https://a.example:'],
    [4, 'https://a.example:0'],
    [4, 'https://a.example:65536'],
    [4, 'https://a.example:-1'],
    [4, 'https://a.example:+1'],
    [4, 'https://a.example:443443'],
    [4, 'https://a.example:x'],
    [4, 'https://a.example:4 3'],
    [5, 'https://a.example//'.concat('x')],
    [5, 'https://a.example/x//y'],
    [5, 'https://a.example/.'],
    [5, 'https://a.example/x/..'],
    [5, 'https://a.example/../x'],
    [5, 'https://a.example/%2e%2e/x'],
    [5, 'https://a.example/x%20y'],
    [5, 'https://a.example/x y'],
    ...[...'!$&\'()*,:;="<>[]^`{|}'].map((char) => [5, `https://a.example/x${char}y`] as const),
  ] as const)('rule %i: %s', (rule, url) => {
    const result = check(url);
    expect(result).toMatchObject({ ok: false, problem: { rule } });
    if (!result.ok) expect(result.problem.remedy.length).toBeGreaterThan(5);
  });
});

test('URLs are equal regardless of the letter case of scheme and host, a default port and trailing slashes (LOCK-1)', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
  const address = fc.record({ host: word, port: fc.constantFrom('', ':443', ':8443'), path: word, Path: fc.boolean() });
  const same = (a: typeof address extends fc.Arbitrary<infer T> ? T : never, b: typeof a) =>
    a.host === b.host &&
    a.port.replace(':443', '') === b.port.replace(':443', '') &&
    (a.Path ? a.path.toUpperCase() : a.path) === (b.Path ? b.path.toUpperCase() : b.path);
  const written = ({ host, port, path, Path }: Parameters<typeof same>[0], upper: boolean, slashes: number) =>
    `${upper ? 'HTTPS' : 'https'}://${upper ? host.toUpperCase() : host}.example${port}/${Path ? path.toUpperCase() : path}${'/'.repeat(slashes)}`;
  fc.assert(
    fc.property(address, address, fc.boolean(), fc.boolean(), fc.nat(3), fc.nat(3), (a, b, x, y, m, n) => {
      const [one, two] = [written(a, x, m), written(b, y, n)];
      expect(comparableUrl(one) === comparableUrl(two)).toBe(same(a, b));
      const [first, second] = [check(one), check(two)];
      expect(first.ok && second.ok && (first.url === second.url) === same(a, b)).toBe(true);
    }),
  );
});

test('no text makes the check throw, hang, or accept a URL that it changes when it is stored', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.tuple(fc.constantFrom('https://', 'http://', 'HTTPS://u@'), fc.string({ maxLength: 40 })).map((t) => t.join('')),
    fc.webUrl(),
  );
  fc.assert(
    fc.property(texts, fc.boolean(), (url, credential) => {
      const result = check(url, credential);
      if (!result.ok) return;
      expect(check(result.url, credential)).toEqual(result);
      expect(new URL(result.url).hostname).toBe(result.address.host);
      expect(new URL(result.url).username).toBe('');
    }),
    { numRuns: 2000 },
  );
});
