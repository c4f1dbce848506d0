import { firstSignIn, type IdentityClaims, readClaims } from './index.ts';

const read = (token: object, userinfo: object | null = null, claim: string | null = null) =>
  readClaims({ sub: 's', ...token }, userinfo as never, claim);

test.each<[object, object | null, Partial<IdentityClaims>]>([
  [{}, null, { subject: 's', email: null, hasUnverifiedEmail: false, preferredUsername: null, groups: null }],
  [{ email: 'Ann@Example.com', email_verified: true }, null, { email: 'ann@example.com' }],
  [{ email: 'ann@example.com', email_verified: 'true' }, null, { email: null, hasUnverifiedEmail: true }],
  [{ email: 'ann@example.com' }, { email_verified: true }, { email: null, hasUnverifiedEmail: true }],
  [{}, { email: 'ann@example.com', email_verified: true }, { email: 'ann@example.com' }],
  // The token comes first.
  [{ email: 'a@b', email_verified: true }, { email: 'c@d', email_verified: true }, { email: 'a@b' }],
  [{ email: 1, email_verified: true }, null, { email: null }],
  [{ email: 'not an address', email_verified: true }, null, { email: null }],
  // The Kelvin sign, whose lower case is the letter k.
  [{ email: 'mar\u212a@example.com', email_verified: true }, null, { email: null }],
  [{ preferred_username: '' }, { preferred_username: 'ann' }, { preferredUsername: 'ann' }],
  [{ preferred_username: ['ann'] }, null, { preferredUsername: null }],
])('claims %j and %j are read (SSO-7)', (token, userinfo, expected) =>
  expect(read(token, userinfo)).toMatchObject(expected),
);

test.each<[string, object, object | null, string[]]>([
  ['groups', { groups: ['a', 'b'] }, null, ['a', 'b']],
  ['groups', { groups: 'a' }, null, ['a']],
  ['groups', { groups: ['a', 1, null, { b: 1 }] }, null, ['a']],
  ['groups', { groups: { a: true } }, null, []],
  ['groups', { groups: ['a\0', 'b'] }, null, ['b']],
  ['groups', { groups: 'a\0' }, null, []],
  ['groups', {}, { groups: ['a'] }, ['a']],
  ['groups', { groups: ['a'] }, { groups: ['b'] }, ['a']],
  ['groups', {}, null, []],
  ['realm_access.roles', { realm_access: { roles: ['a'] } }, null, ['a']],
  ['realm_access.roles', { 'realm_access.roles': ['b'], realm_access: { roles: ['a'] } }, null, ['b']],
  ['realm_access.roles', { realm_access: null }, null, []],
  ['https://example.com/groups', { 'https://example.com/groups': ['a'] }, null, ['a']],
  ['__proto__.x', {}, null, []],
  ['constructor', {}, null, []],
])('the claim %s of %j and %j has the groups %j (SSO-12)', (claim, token, userinfo, groups) =>
  expect(read(token, userinfo, claim)?.groups).toEqual(groups),
);

test('groups that the provider left out of a token are not read as none (SSO-12)', () => {
  expect(read({ _claim_names: { groups: 'src1' } }, null, 'groups')).toBeNull();
  expect(read({ _claim_names: { other: 'src1' } }, null, 'groups')?.groups).toEqual([]);
  expect(read({ _claim_names: { groups: 'src1' } }, { groups: ['a'] }, 'groups')?.groups).toEqual(['a']);
  expect(read({ _claim_names: { groups: 'src1' } }, null, null)?.groups).toBeNull();
});

const rules = (part: object) => ({ link_by: 'subject' as const, create_people: false, email_domains: [], ...part });
const claims = (part: object): IdentityClaims => ({
  subject: 's',
  email: null,
  hasUnverifiedEmail: false,
  preferredUsername: null,
  groups: null,
  ...part,
});

test.each<[object, object, object]>([
  [{}, {}, { ok: false, reason: 'unknown-person' }],
  [{}, { email: 'a@b.c' }, { ok: false, reason: 'unknown-person' }],
  [{ create_people: true }, { preferredUsername: 'ann' }, { ok: true, linkTo: null, create: 'ann' }],
  [{ create_people: true }, { preferredUsername: 'a/b', email: 'a@b.c' }, { ok: true, linkTo: null, create: 'a@b.c' }],
  [{ create_people: true }, { preferredUsername: 'x'.repeat(256) }, { ok: false, reason: 'no-name' }],
  [{ create_people: true }, { hasUnverifiedEmail: true }, { ok: false, reason: 'email-unverified' }],
  [{ link_by: 'verified-email' }, { email: 'a@b.c' }, { ok: true, linkTo: 'a@b.c', create: null }],
  [{ link_by: 'verified-email' }, { hasUnverifiedEmail: true }, { ok: false, reason: 'email-unverified' }],
  [{ link_by: 'verified-email' }, { preferredUsername: 'ann' }, { ok: false, reason: 'unknown-person' }],
  [{ email_domains: ['b.c'], create_people: true }, { preferredUsername: 'a' }, { ok: false, reason: 'email-missing' }],
  [{ email_domains: ['b.c'], create_people: true }, { email: 'a@x.b.c' }, { ok: false, reason: 'email-domain' }],
  [{ email_domains: ['b.c'], create_people: true }, { email: 'a@b.c' }, { ok: true, linkTo: null, create: 'a@b.c' }],
])('with the rules %j, the first sign-in of %j is %j (SSO-8, SSO-9, SSO-10)', (rule, claim, expected) =>
  expect(firstSignIn(rules(rule), claims(claim))).toEqual(expected),
);
