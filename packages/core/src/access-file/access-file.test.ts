import type { Grant } from '../access/index.ts';
import { type AccessFile, accessFileText, changeText, compareAccess, parseAccessFile } from './index.ts';

const TEXT = `
groups:
  analysts: [ann, bob]
  empty:
grants:
  - group: analysts
    role: analyst
    environment: prod
  - principal: nightly
    action: READ_TABLE
    environment: prod
    namespace: sales
    table: orders
    expires_at: 2026-12-31T00:00:00Z
`;

const grant = (id: string, fields: Partial<Grant>): Grant => ({
  ...{ id, principal_id: null, group_id: null, role: null, action: null, kind: 'ENVIRONMENT' as const },
  ...{ principal: null, group: null, environment: 'prod', namespace: null, table: null, service_account: null },
  ...{ expires_at: null, last_used_at: null },
  ...{ created_at: '2026-01-01T00:00:00.000Z', created_by: null },
  ...fields,
});

const read = (text: string): AccessFile => {
  const { file, problems } = parseAccessFile(text);
  expect(problems).toEqual([]);
  return file!;
};
const lines = (current: { groups: Record<string, string[]>; grants: Grant[] }, text: string) => {
  const { changes, unlisted } = compareAccess(
    { groups: new Map(Object.entries(current.groups)), grants: current.grants },
    read(text),
  );
  return { changes: changes.map(changeText), unlisted: unlisted.map(changeText) };
};

test('a file has groups with members, and grants on objects of every kind', () => {
  const { groups, grants } = read(TEXT);
  expect(Object.fromEntries(groups)).toEqual({ analysts: ['ann', 'bob'], empty: [] });
  expect(grants).toEqual([
    { group: 'analysts', role: 'ANALYST', environment: 'prod' },
    expect.objectContaining({ principal: 'nightly', table: 'orders', expires_at: '2026-12-31T00:00:00Z' }),
  ]);
  expect(read('').grants).toEqual([]);
});

const list = (text: string) => `[${Array(20).fill(text).join(', ')}]`;

test.each([
  ['groups:\n  a:\n    - *b\n', 'line 3: unknown alias *b: quote a text that starts with *'],
  [`a: &a ${list('x')}\nb: &b ${list('*a')}\ngroups:\n  g: ${list('*b')}\n`, 'line 1: Excessive alias count'],
  ['grants:\n  - role: ANALYST\n', 'line 2: grants.0: name a principal or a group'],
  [
    'grants:\n  - principal: a\n    role: OWNER\n',
    'line 3: grants.0.role: must be one of ADMIN, DATA_ENGINEER, ANALYST',
  ],
  ['grants:\n  - principal: a\n    role: ADMIN\n    table: t\n', 'line 2: grants.0: name the namespace'],
  ['grants:\n  - principal: a\n    rol: ADMIN\n', 'line 2: grants.0: Unrecognized key: "rol"'],
  [
    'grants:\n  - { principal: a, role: ADMIN, expires_at: 2026-12-31 }\n',
    'line 2: grants.0.expires_at: must be a time',
  ],
  ['groups:\n  a: [b]\n  a: [c]\n', 'line 3: Map keys must be unique'],
  ['- a\n', 'line 1: the file must have the keys groups and grants'],
  ['groups: {a: [1]}\n', 'line 1: groups.a.0: Invalid input: expected string, received number'],
  [
    'groups: { g: }\ngrants:\n  - { group: g, role: ANALYST, environment: e, namespace: n }\n  - { group: g, role: analyst, environment: e, namespace: N }\n',
    'line 4: the same grant as in line 3',
  ],
  ['grants:\n  - { group: g, role: ADMIN }\n', 'line 2: the group g must be in groups'],
])('%j is refused with its line', (text, problem) => {
  const { file, problems } = parseAccessFile(text);
  expect(file).toBeNull();
  expect(problems.join('\n')).toContain(problem);
});

test('what is missing is added before anything is removed', () => {
  const old = grant('1', { group: 'old', role: 'ADMIN', kind: 'INSTANCE', environment: null });
  const other = grant('2', { principal: 'eve', action: 'RUN' });
  expect(lines({ groups: { analysts: ['bob', 'eve'], old: ['ann'] }, grants: [old, other] }, TEXT)).toEqual({
    changes: [
      '+ group empty',
      '+ member ann of group analysts',
      '+ ANALYST on prod to group analysts',
      '+ READ_TABLE on prod/sales/orders to nightly until 2026-12-31T00:00:00Z',
    ],
    // The group's grant disappears with the group.
    unlisted: ['- RUN on prod to eve', '- member eve of group analysts', '- group old'],
  });
});

test('a grant that expires at another time is replaced, so that it is never a duplicate', () => {
  const at = (day: string) => `2026-12-${day}T00:00:00.000Z`;
  const file = 'grants: [{ principal: ann, role: ANALYST, environment: prod, expires_at: 2026-12-10T00:00:00Z }]';
  const having = (...days: (string | null)[]) =>
    lines(
      {
        groups: {},
        grants: days.map((day, i) => grant(`${i}`, { principal: 'ann', role: 'ANALYST', expires_at: day && at(day) })),
      },
      file,
    );
  const added = '+ ANALYST on prod to ann until 2026-12-10T00:00:00Z';
  const removed = (day: string) => `- ANALYST on prod to ann until ${at(day)}`;
  expect(having('10').changes).toEqual([]);
  expect(having('09').changes).toEqual([added, removed('09')]);
  expect(having('11').changes).toEqual([removed('11'), added]);
  expect(having('09', null).changes).toEqual(['- ANALYST on prod to ann', added, removed('09')]);
  expect(having('10', '11').changes).toEqual([removed('11')]);
});

test('an exported file has no differences, whatever the names', () => {
  const groups = { 'a: [b]': ['- x', '{y}'], '#': [], null: ['true', '1'], ['__proto__']: ['ann'] };
  const grants = [
    grant('1', { principal: 'é "quoted"', action: 'READ_TABLE', kind: 'TABLE', namespace: 'a.b', table: 'T' }),
    grant('2', { group: 'null', role: 'ADMIN', kind: 'INSTANCE', environment: null }),
    grant('3', { principal: '2026-01-01', role: 'ANALYST', expires_at: '2026-12-31T00:00:00.000Z' }),
  ];
  const text = accessFileText({ groups: new Map(Object.entries(groups)), grants });
  expect(lines({ groups, grants }, text)).toEqual({ changes: [], unlisted: [] });
  expect(accessFileText({ groups: new Map(Object.entries(groups)), grants: grants.toReversed() })).toBe(text);
});
