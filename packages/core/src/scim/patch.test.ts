import { patchGroup, patchUser, readGroup, readUser, type ScimUser } from './index.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const ann: ScimUser = {
  userName: 'ann',
  externalId: '7',
  active: false,
  displayName: 'Ann',
  name: { formatted: 'Ann Lee', givenName: 'Ann', familyName: 'Lee' },
  email: 'ann@example.com',
};
const patched = (...Operations: object[]) => patchUser(ann, { Operations });
const NO_NAME = { formatted: null, givenName: null, familyName: null };

test.each<[object, Partial<ScimUser>]>([
  [{ op: 'replace', path: `${USER}:active`, value: true }, { active: true }],
  [{ op: 'replace', path: `${USER.toUpperCase()}:ACTIVE`, value: 'True' }, { active: true }],
  [{ op: 'add', value: { [`${USER}:active`]: true } }, { active: true }],
  [{ op: 'replace', path: `${USER}:emails[type eq "work"].value`, value: 'a@b.example' }, { email: 'a@b.example' }],
  [{ op: 'add', path: 'emails[primary eq true].value', value: 'a@b.example' }, { email: 'a@b.example' }],
  [{ op: 'add', path: 'emails[type eq "work"]', value: { value: 'a@b.example' } }, { email: 'a@b.example' }],
  [{ op: 'replace', path: 'emails', value: [{ type: 'work', value: 'a@b.example' }] }, { email: 'a@b.example' }],
  [{ op: 'replace', path: 'emails', value: 'a@b.example' }, { email: 'a@b.example' }],
  [
    { OP: 'Replace', Path: 'EMAILS', VALUE: [{ value: 'old@b.example' }, { Value: 'a@b.example', Primary: 'True' }] },
    { email: 'a@b.example' },
  ],
  [{ op: 'replace', path: 'emails[type eq "work"].primary', value: true }, {}],
  [{ op: 'remove', path: 'emails[type eq "work"].value' }, { email: null }],
  [{ op: 'remove', path: 'emails' }, { email: null }],
  [{ op: 'remove', path: 'name' }, { name: NO_NAME }],
  [{ op: 'replace', path: 'name', value: null }, { name: NO_NAME }],
  [{ op: 'remove', path: 'name.familyName' }, { name: { ...ann.name, familyName: null } }],
  [{ op: 'replace', path: 'name', value: { FamilyName: 'Li' } }, { name: { ...ann.name, familyName: 'Li' } }],
  [{ op: 'remove', path: 'displayName' }, { displayName: null }],
  [{ op: 'remove', path: 'externalId' }, { externalId: null }],
  // What svc doesn't store is ignored.
  [{ op: 'replace', path: 'addresses[type eq "work"].country', value: 'NZ' }, {}],
  [{ op: 'replace', path: 'name.middleName', value: 'M' }, {}],
  [{ op: 'add', path: `${ENTERPRISE}:department`, value: 'x' }, {}],
  [{ op: 'replace', value: { id: '1', locale: 'en', [ENTERPRISE]: { department: 'x' } } }, {}],
])('%j changes a person to %j (SCIM-6)', (operation, expected) => {
  expect(patched(operation)).toEqual({ ...ann, ...expected });
});

test.each<[object, string]>([
  [{ op: 'remove', path: 'active' }, 'mutability'],
  [{ op: 'replace', path: 'active', value: null }, 'mutability'],
  [{ op: 'replace', value: { active: null } }, 'mutability'],
  [{ op: 'remove', path: 'userName' }, 'mutability'],
  [{ op: 'replace', path: 'active' }, 'invalidValue'],
  [{ op: 'replace', path: 'name', value: 'Ann' }, 'invalidValue'],
  [{ op: 'replace', path: 'nothing', value: 1 }, 'invalidPath'],
  [{ op: 'replace', value: { nothing: 1 } }, 'invalidPath'],
  [{ op: 'replace', path: USER, value: { active: true } }, 'invalidPath'],
  [{ op: 'replace', path: `${USER}s:active`, value: true }, 'invalidPath'],
  [{ op: 'replace', path: 'active.value', value: true }, 'invalidPath'],
  [{ op: 'replace', path: 'active[value eq true]', value: true }, 'invalidPath'],
  [{ op: 'replace', path: 'name.nothing', value: 'x' }, 'invalidPath'],
  [{ op: 'replace', path: 'emails[type eq "home"].value', value: 'a@b.example' }, 'invalidPath'],
  [{ op: 'replace', path: 'emails[type eq "work"].nothing', value: 'x' }, 'invalidPath'],
  [{ op: 'replace', path: 'emails[type eq "work"', value: 'x' }, 'invalidPath'],
])('%j is refused with %s (SCIM-6)', (operation, scimType) => {
  expect(() => patched(operation)).toThrow(expect.objectContaining({ name: 'ScimInputError', scimType }));
});

const [one, two] = ['0199e0a0-0000-7000-8000-000000000001', '0199e0a0-0000-7000-8000-000000000002'];
const group = { displayName: 'team', externalId: null, members: [one] };

test.each<[object, string[]]>([
  [{ op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:members', value: [{ value: two }] }, [one, two]],
  [{ op: 'add', path: 'members', value: { value: two } }, [one, two]],
  [{ op: 'add', path: 'members', value: { VALUE: two } }, [one, two]],
  [{ op: 'replace', path: 'members', value: [{ value: two }] }, [two]],
  [{ op: 'remove', path: `members[value eq "${one.toUpperCase()}"]` }, []],
  [{ op: 'remove', path: 'members', value: [{ value: two }] }, [one]],
  [{ op: 'remove', path: 'members' }, []],
])('%j changes the members of a group to %j (SCIM-6)', (operation, members) => {
  expect(patchGroup(group, { Operations: [operation] })).toEqual({ ...group, members });
});

test.each<[object, string]>([
  [{ op: 'replace', path: `members[value eq "${one}"]`, value: { value: two } }, 'invalidPath'],
  [{ op: 'remove', path: 'members[display eq "ann"]' }, 'invalidPath'],
  [{ op: 'replace', path: 'members' }, 'invalidValue'],
  [{ op: 'remove', path: 'displayName' }, 'mutability'],
  [{ op: 'replace', path: 'displayName.value', value: 'team' }, 'invalidPath'],
  [{ op: 'replace', path: 'nothing', value: 1 }, 'invalidPath'],
])('%j of a group is refused with %s (SCIM-6)', (operation, scimType) => {
  expect(() => patchGroup(group, { Operations: [operation] })).toThrow(expect.objectContaining({ scimType }));
});

test('a person that is sent without active stays as before, and a new one is active (SCIM-4)', () => {
  expect(readUser({ userName: 'ann' }, ann).active).toBe(false);
  expect(readUser({ userName: 'ann', active: null }, ann).active).toBe(false);
  expect(readUser({ userName: 'ann', active: true }, ann).active).toBe(true);
  expect(readUser({ userName: 'ann' }).active).toBe(true);
});

test('names of attributes may have any case, and each must occur once (SCIM-4)', () => {
  const user = {
    USERNAME: 'ann',
    externalid: '7',
    Active: 'False',
    displayname: 'Ann',
    Name: { Formatted: 'Ann Lee', givenname: 'Ann', FAMILYNAME: 'Lee' },
    Emails: [{ Value: 'ann@example.com', PRIMARY: true }],
  };
  expect(readUser(user)).toEqual(ann);
  expect(readGroup({ DisplayName: 'team', MEMBERS: [{ Value: one }] })).toEqual(group);
  expect(() => readUser({ userName: 'ann', active: true, Active: false })).toThrow('active: must occur once');
  expect(() => patched({ op: 'replace', value: { active: false, Active: true } })).toThrow('Active: must occur once');
  expect(() => patched({ op: 'replace', path: 'name', value: { familyName: 'A', FamilyName: 'B' } })).toThrow(
    'FamilyName: must occur once',
  );
});
