import { type Action, decide, type EffectiveGrant, nameKey, scopeOf } from '@svc/core/access';
import fc from 'fast-check';
import { readableTables } from './readable-tables.ts';

const TABLES = ['a', 'a.b', 'ab'].flatMap((namespace) => ['t', 'u'].map((table) => ({ namespace, table })));

const scope = fc.oneof(
  fc.constant(scopeOf({})),
  fc.constantFrom('dev', 'prod').map((environment) => scopeOf({ environment })),
  fc
    .tuple(fc.constantFrom('dev', 'prod'), fc.constantFrom('a', 'A.B', 'ab'))
    .map(([environment, namespace]) => scopeOf({ environment, namespace })),
  fc
    .tuple(fc.constantFrom('dev', 'prod'), fc.constantFrom('a', 'A.B'), fc.constantFrom('t', 'U'))
    .map(([environment, namespace, table]) => scopeOf({ environment, namespace, table })),
);

const right = fc.oneof(
  fc.constantFrom('ADMIN' as const, 'DATA_ENGINEER' as const).map((role) => ({ role, action: null })),
  fc.constantFrom<Action>('READ_TABLE', 'WRITE_TABLE', 'READ_NAMESPACE').map((action) => ({ role: null, action })),
);

const grants = fc.array(
  fc.record({ right, scope }).map(({ right: { role, action }, scope: on }): EffectiveGrant => {
    return { grant_id: 'g', role, action, scope: on, group: null, created_at: 0 };
  }),
  { maxLength: 4 },
);

test('these are exactly the tables on which the decision allows READ_TABLE (RETAIN-9, SEARCH-2)', () => {
  fc.assert(
    fc.property(grants, (grants) => {
      const visible = readableTables(grants, scopeOf({ environment: 'dev' }));
      for (const { namespace, table } of TABLES) {
        const listed =
          visible === 'all' ||
          visible.tables.map(nameKey).includes(`${namespace}.${table}`) ||
          visible.namespaces.map(nameKey).some((root) => namespace === root || namespace.startsWith(`${root}.`));
        const { allowed } = decide(grants, 'READ_TABLE', scopeOf({ environment: 'dev', namespace, table }));
        expect(listed).toBe(allowed);
      }
    }),
  );
});
