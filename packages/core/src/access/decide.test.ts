import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  ACTIONS,
  ACTIONS_OF,
  type Action,
  appliesWithin,
  decide,
  type EffectiveGrant,
  grantsAction,
  hasAnyActionIn,
  INSTANCE,
  type ObjectScope,
  scopeOf,
} from './index.ts';

const grant = (over: Partial<EffectiveGrant>): EffectiveGrant => ({
  grant_id: '00000000-0000-7000-8000-000000000001',
  role: null,
  action: null,
  scope: INSTANCE,
  group: null,
  created_at: 0,
  ...over,
});

const env = scopeOf({ environment: 'prod' });
const a = scopeOf({ environment: 'prod', namespace: 'a' });
const ab = scopeOf({ environment: 'prod', namespace: 'a.b' });
const table = scopeOf({ environment: 'prod', namespace: 'a.b', table: 't' });

describe('a grant covers everything inside its object (ACCESS-2)', () => {
  test.each<[ObjectScope, ObjectScope, boolean]>([
    [INSTANCE, table, true],
    [env, table, true],
    [a, table, true],
    [ab, table, true],
    [table, table, true],
    [a, ab, true],
    [ab, a, false],
    [table, ab, false],
    [scopeOf({ environment: 'dev' }), table, false],
    [scopeOf({ environment: 'prod', namespace: 'ab' }), ab, false],
    [scopeOf({ environment: 'prod', namespace: 'A' }), table, true],
    [scopeOf({ environment: 'prod', namespace: 'a.b', table: 'T' }), table, true],
    [scopeOf({ environment: 'prod', namespace: 'a', table: 't' }), table, false],
  ])('a grant on %j covers %j: %s', (outer, inner, expected) => {
    expect(decide([grant({ action: 'READ_TABLE', scope: outer })], 'READ_TABLE', inner).allowed).toBe(expected);
  });
});

describe('roles and single actions', () => {
  const allows = (g: Partial<EffectiveGrant>, action: Action) => grantsAction(grant(g), action);

  test('ADMIN on the instance carries every action except READ_QUERY_TEXT (ACCESS-7)', () => {
    for (const action of Object.values(ACTIONS_OF).flat()) {
      expect(allows({ role: 'ADMIN' }, action)).toBe(action !== 'READ_QUERY_TEXT');
    }
  });

  test.each(['MANAGE_GRANT', 'MANAGE_GROUP', 'MANAGE_TOKEN'] as const)(
    '%s needs the ADMIN role on the instance (ACCESS-4)',
    (action) => {
      expect(allows({ action }, action)).toBe(false);
      expect(allows({ role: 'ADMIN', scope: env }, action)).toBe(false);
      const { reason, via } = decide([grant({ action })], action, INSTANCE);
      expect(reason).toBe(
        `${action} needs the ADMIN role on the instance; granting it as a single action has no effect`,
      );
      expect(via).toEqual([]);
      expect(decide([grant({ action }), grant({ role: 'ADMIN' })], action, INSTANCE).via.map((v) => v.kind)).toEqual([
        'role',
      ]);
    },
  );

  test('READ_QUERY_TEXT takes effect only as a single action on the instance (ACCESS-5)', () => {
    expect(allows({ action: 'READ_QUERY_TEXT' }, 'READ_QUERY_TEXT')).toBe(true);
    expect(allows({ action: 'READ_QUERY_TEXT', scope: env }, 'READ_QUERY_TEXT')).toBe(false);
  });

  test('ANALYST reads and queries, and nothing else (ACCESS-7)', () => {
    const allowed = ACTIONS.filter((action) => allows({ role: 'ANALYST' }, action));
    expect(allowed).toEqual(['READ_ENVIRONMENT', 'READ_NAMESPACE', 'SUBMIT_QUERY', 'READ_TABLE']);
  });

  test('both roles drop tables; ADMIN manages an environment, DATA_ENGINEER does not (ACCESS-7)', () => {
    expect(allows({ role: 'ADMIN', scope: env }, 'DROP_TABLE')).toBe(true);
    expect(allows({ role: 'DATA_ENGINEER', scope: env }, 'DROP_TABLE')).toBe(true);
    expect(allows({ role: 'ADMIN', scope: env }, 'MANAGE_ENVIRONMENT')).toBe(true);
    expect(allows({ role: 'DATA_ENGINEER', scope: env }, 'MANAGE_ENVIRONMENT')).toBe(false);
  });
});

test('the actions of each kind of object are those of the specification, in its order (ACCESS-3)', () => {
  const page = readFileSync(new URL('../../../../docs/specification/access.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^ {2}\| (instance|environment|namespace|table) +\| (.*?) *\|$/gm);
  const specified = [...rows].map(([, kind, actions]) => [kind!.toUpperCase(), actions!.split(', ')]);
  expect({ ...Object.fromEntries(specified), SERVICE_ACCOUNT: ['ACT_AS'] }).toEqual(ACTIONS_OF);
});

test('MANAGE_POLICY counts on the instance only (ACCESS-8)', () => {
  const counts = (over: Partial<EffectiveGrant>) => decide([grant(over)], 'MANAGE_POLICY', INSTANCE).allowed;
  expect([counts({ action: 'MANAGE_POLICY' }), counts({ role: 'ADMIN' })]).toEqual([true, true]);
  for (const scope of [env, ab, table]) {
    expect(appliesWithin('MANAGE_POLICY', scope.kind)).toBe(false);
    expect([counts({ action: 'MANAGE_POLICY', scope }), counts({ role: 'ADMIN', scope })]).toEqual([false, false]);
  }
});

test('via lists the grants oldest first, with their kinds (ACCESS-15)', () => {
  const grants = [
    grant({ grant_id: 'c', role: 'DATA_ENGINEER', scope: env, group: 'analysts', created_at: 3 }),
    grant({ grant_id: 'a', action: 'READ_TABLE', scope: table, created_at: 1 }),
    grant({ grant_id: 'b', role: 'ADMIN', created_at: 2 }),
    grant({ grant_id: 'd', action: 'WRITE_TABLE', scope: table, created_at: 0 }),
  ];
  expect(decide(grants, 'READ_TABLE', table)).toEqual({
    allowed: true,
    reason: null,
    via: [
      { kind: 'grant', grant_id: 'a', group: null, role: null, scope: table },
      { kind: 'role', grant_id: 'b', group: null, role: 'ADMIN', scope: INSTANCE },
      { kind: 'group', grant_id: 'c', group: 'analysts', role: 'DATA_ENGINEER', scope: env },
    ],
  });
});

describe('many grants', () => {
  const name = fc.constantFrom('a', 'B', 'b', 'constructor', '__proto__', 'é');
  const scope = fc
    .record({
      environment: fc.option(name),
      namespace: fc.array(name, { minLength: 1, maxLength: 3 }),
      table: name,
      depth: fc.nat(2),
    })
    .map(({ environment, namespace, table: inner, depth }) =>
      environment === null
        ? INSTANCE
        : scopeOf({
            environment,
            namespace: depth > 0 ? namespace.join('.') : null,
            table: depth > 1 ? inner : null,
          }),
    );
  const right = fc.oneof(
    fc.record({ role: fc.constantFrom('ADMIN' as const, 'DATA_ENGINEER' as const), action: fc.constant(null) }),
    fc.record({ role: fc.constant(null), action: fc.constantFrom(...ACTIONS) }),
  );
  const many = fc.array(fc.tuple(right, scope), { minLength: 12, maxLength: 60 });

  test('lead to the same decision as each grant alone', () => {
    fc.assert(
      fc.property(
        many,
        fc.array(fc.tuple(fc.constantFrom(...ACTIONS), scope), { maxLength: 8 }),
        (rights, requests) => {
          const grants = rights.map(([allowed, on], i) =>
            grant({ ...allowed, grant_id: String(i), scope: on, created_at: i }),
          );
          for (const [action, object] of requests) {
            const alone = grants.flatMap((one) => decide([one], action, object).via);
            expect(decide(grants, action, object).via).toEqual(alone);
          }
        },
      ),
    );
  });

  test("can't be extended after a decision", () => {
    const grants = Array.from({ length: 20 }, () => grant({ action: 'READ_TABLE', scope: env }));
    decide(grants, 'READ_TABLE', table);
    expect(() => grants.push(grant({ role: 'ADMIN' }))).toThrow(TypeError);
  });
});

describe('whether any action is allowed in an environment', () => {
  test.each<[Partial<EffectiveGrant>, boolean]>([
    [{ action: 'SUBMIT_QUERY', scope: env }, true],
    [{ action: 'CREATE_TABLE', scope: ab }, true],
    [{ action: 'READ_TABLE', scope: table }, true],
    [{ action: 'READ_TABLE', scope: INSTANCE }, true],
    [{ role: 'DATA_ENGINEER', scope: a }, true],
    [{ action: 'READ_TABLE', scope: scopeOf({ environment: 'dev', namespace: 'a.b', table: 't' }) }, false],
    [{ action: 'MANAGE_PRINCIPAL', scope: INSTANCE }, false],
    [{ action: 'MANAGE_GRANT', scope: env }, false],
  ])('with the grant %j: %s', (over, expected) => expect(hasAnyActionIn([grant(over)], 'prod')).toBe(expected));
});
