import { ACTIONS_OF, type Action, decide, type EffectiveGrant, scopeOf } from '@svc/core/access';
import fc from 'fast-check';
import { visiblePaths } from './visible-paths.ts';

const paths = ['a', 'a.b', 'a.b.c', 'ab', 'b'];

const scope = fc.oneof(
  fc.constant(scopeOf({})),
  fc.constantFrom('dev', 'prod').map((environment) => scopeOf({ environment })),
  fc
    .tuple(fc.constantFrom('dev', 'prod'), fc.constantFrom(...paths, 'A.B'))
    .map(([environment, namespace]) => scopeOf({ environment, namespace })),
  fc.constantFrom(...paths).map((namespace) => scopeOf({ environment: 'dev', namespace, table: 't' })),
);

const right = fc.oneof(
  fc.constantFrom('ADMIN' as const, 'DATA_ENGINEER' as const).map((role) => ({ role, action: null })),
  fc.constantFrom<Action>(...Object.values(ACTIONS_OF).flat()).map((action) => ({ role: null, action })),
);

const grants = fc.array(
  fc.record({ right, scope }).map(
    ({ right: { role, action }, scope: on }): EffectiveGrant => ({
      grant_id: 'g',
      role,
      action,
      scope: on,
      group: null,
      created_at: 0,
    }),
  ),
  { maxLength: 6 },
);

test('a list shows exactly the namespaces on which the decision allows the action', () => {
  const environment = scopeOf({ environment: 'dev' });
  fc.assert(
    fc.property(grants, (grants) => {
      const visible = visiblePaths(grants, environment, 'READ_NAMESPACE');
      for (const path of paths) {
        const listed =
          visible === 'all' ||
          visible.some((root) => path === root.toLowerCase() || path.startsWith(`${root.toLowerCase()}.`));
        const { allowed } = decide(grants, 'READ_NAMESPACE', scopeOf({ environment: 'dev', namespace: path }));
        expect(listed).toBe(allowed);
      }
    }),
    { numRuns: 2000 },
  );
});

test('the via of a decision is exactly what must go for it to be refused', () => {
  const object = scopeOf({ environment: 'dev', namespace: 'a.b', table: 't' });
  fc.assert(
    fc.property(grants, fc.constantFrom<Action>('READ_TABLE', 'DROP_TABLE', 'CREATE_TABLE'), (value, action) => {
      const grants = value.map((grant, i) => ({ ...grant, grant_id: `g${i}` }));
      const { allowed, via } = decide(grants, action, object);
      const ids = via.map(({ grant_id }) => grant_id);
      expect(
        decide(
          grants.filter((grant) => !ids.includes(grant.grant_id)),
          action,
          object,
        ).allowed,
      ).toBe(false);
      for (const id of ids)
        expect(
          decide(
            grants.filter((grant) => grant.grant_id === id),
            action,
            object,
          ).allowed,
        ).toBe(true);
      expect(allowed).toBe(ids.length > 0);
    }),
    { numRuns: 2000 },
  );
});
