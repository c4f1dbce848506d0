import { examineValues } from '../secrets/index.ts';
import { planPasses } from './build-passes.ts';
import { credentialFailure, type IndexSecret, storedUrlFailure } from './stored-index.ts';
import type { LockFetch } from './verify-lock.ts';

const INDEX = { id: 'i', name: 'corp', url: 'https://corp.example/simple', credential_secret: 'pw' };
const secret = (values: Record<string, string>, more: Partial<IndexSecret> = {}): IndexSecret => ({
  use: 'package-index',
  package_index_id: 'i',
  facts: examineValues(values),
  ...more,
});
const GOOD = { username: 'u', password: 'p' };
const ROTATE = 'svc secret rotate pw --env dev --values-stdin';

test.each<[string, IndexSecret | null, string, string]>([
  [
    'missing',
    null,
    'does not have, or which was revoked',
    'svc secret create pw --env dev --values-stdin --index corp',
  ],
  [
    'not bound',
    secret(GOOD, { use: null, package_index_id: null }),
    'not bound',
    'svc secret bind pw --env dev --index corp',
  ],
  [
    'bound to another index',
    secret(GOOD, { package_index_id: 'x' }),
    'not bound',
    'svc secret bind pw --env dev --index corp',
  ],
  [
    'of its environment',
    secret(GOOD, { use: 'environment', package_index_id: null }),
    'not bound',
    'svc secret bind pw --env dev --index corp',
  ],
  ['without a password', secret({ username: 'u' }), 'no usable password', ROTATE],
  ['with an empty one', secret({ password: '' }), 'no usable password', ROTATE],
  ['with NUL', secret({ password: 'a\0' }), 'no usable password', ROTATE],
  ['with NUL in the user name', secret({ ...GOOD, username: '\0' }), 'no usable password', ROTATE],
  ['too long', secret({ password: 'p'.repeat(4097) }), 'longer than 4,096', ROTATE],
  ['with a long user name', secret({ ...GOOD, username: 'u'.repeat(4097) }), 'longer than 4,096', ROTATE],
  ['with a lone surrogate', secret({ password: '\ud800' }), 'lone surrogate', ROTATE],
])('secret %s: stops the build with the command that fixes it (SECRET-4)', (_, found, why, remedy) => {
  const refusal = credentialFailure(INDEX, 'dev', found);
  expect(refusal).toMatchObject({ code: 'index-credential', detail: expect.stringContaining(why), remedy });
  expect(refusal!.detail.endsWith(`: ${remedy}`)).toBe(true);
});

test.each([
  ['good', secret(GOOD)],
  ['without a user name', secret({ password: 'p' })],
  ['of the greatest length', secret({ password: '\u{1F511}'.repeat(4096) })],
  ['with other keys', secret({ ...GOOD, note: '\0' })],
])('secret %s: may be used', (_, found) => expect(credentialFailure(INDEX, 'dev', found)).toBeNull());

test('an index without a secret needs none', () => {
  expect(credentialFailure({ ...INDEX, credential_secret: null }, 'dev', null)).toBeNull();
});

test.each([
  'http://corp.example/simple',
  'https://corp.example/simple/',
  'https://u@corp.example',
  'https://169.254.1.1',
])('the stored URL %s is refused (INDEX-9)', (url) =>
  expect(storedUrlFailure({ ...INDEX, url })?.detail).toContain('the stored URL of the package index'),
);

test.each([
  'https://user:hunter2@corp.example/simple',
  'https://user:hunter2/x@corp.example/simple',
  'user:hunter2@corp.example/simple',
  '//user:hunter2@corp.example/simple',
  'https:/user:hunter2@corp.example/simple',
  'https:user:hunter2@corp.example',
  'ftp://user:hunter2@corp.example',
  'http://corp.example:80/?hunter2',
  'ftp://corp.example/simple?token=hunter2',
  'https://hunter2/simple@corp.example:x',
  'https://corp.example/simple#hunter2',
  'https://user:hunter2\\@corp.example',
  'https://us\u00e9r:hunter2@corp.example',
])('the message about the stored URL %s reveals no credential (INDEX-9)', (url) => {
  const { detail, remedy } = storedUrlFailure({ ...INDEX, url })!;
  expect(detail).toContain('the stored URL of the package index corp is refused');
  expect(`${detail} ${remedy}`).not.toMatch(/hunter2|user:|us\u00e9r/);
});

describe('the passes of a build (LOCK-8)', () => {
  const at = (host: string, port = 443) => ({ scheme: 'https' as const, host, port });
  const fetch = (index: string | null, packages: string[], ...addresses: ReturnType<typeof at>[]): LockFetch => ({
    index,
    operator: false,
    packages,
    addresses,
  });
  const a = { name: 'a', url: 'https://h.example/a' };
  const b = { name: 'b', url: 'https://h.example/b' };

  test('one is enough if every index has its own host and port', () => {
    const other = { name: 'b', url: 'https://h.example:8443/b' };
    const fetches = [fetch('a', ['x'], at('h.example')), fetch('b', ['y'], at('h.example', 8443)), fetch(null, ['z'])];
    const { passes, splitPackage } = planPasses(fetches, [a, other]);
    expect(splitPackage).toBeNull();
    expect(passes).toEqual([
      { packages: null, addresses: [at('h.example'), at('h.example', 8443)], credentials: [a, other] },
    ]);
  });

  test('indexes on one host are separated from each other and from those without a credential', () => {
    const fetches = [
      fetch('a', ['x'], at('h.example')),
      fetch('b', ['y'], at('h.example')),
      fetch('c', ['z'], at('h.example')),
    ];
    expect(planPasses(fetches, [a, b])).toEqual({
      splitPackage: null,
      passes: [
        { packages: ['x'], addresses: [at('h.example')], credentials: [a] },
        { packages: ['y'], addresses: [at('h.example')], credentials: [b] },
        { packages: null, addresses: [at('h.example')], credentials: [] },
      ],
    });
  });

  test('a file of one index on the host of another separates them too', () => {
    const fetches = [fetch('a', ['x'], at('h.example')), fetch('c', ['z'], at('c.example'), at('h.example'))];
    expect(planPasses(fetches, [a]).passes.map(({ credentials }) => credentials)).toEqual([[a], []]);
  });

  test('a package that several passes need makes the split impossible', () => {
    const fetches = [fetch('a', ['x'], at('h.example')), fetch('b', ['x'], at('h.example'))];
    expect(planPasses(fetches, [a, b]).splitPackage).toBe('x');
  });

  test("an index that the lock doesn't use provides no credential", () => {
    expect(planPasses([fetch(null, ['z'], at('p.example'))], [a]).passes[0]?.credentials).toEqual([]);
  });
});
