import { canDoMore } from './act-as.ts';
import { decide, type EffectiveGrant, INSTANCE, scopeOf } from './index.ts';

const grant = (over: Partial<EffectiveGrant>): EffectiveGrant => ({
  grant_id: '00000000-0000-7000-8000-000000000001',
  role: null,
  action: null,
  scope: INSTANCE,
  group: null,
  created_at: 0,
  ...over,
});
const prod = scopeOf({ environment: 'prod' });
const sales = scopeOf({ environment: 'prod', namespace: 'sales' });
const orders = scopeOf({ environment: 'prod', namespace: 'sales', table: 'Orders' });
const engineer = grant({ role: 'DATA_ENGINEER', scope: prod });

test.each<[string, EffectiveGrant[], EffectiveGrant[], boolean]>([
  ['without grants', [], [], false],
  ['with the same role', [engineer], [engineer], false],
  ['with a role on part of it', [grant({ role: 'DATA_ENGINEER', scope: sales })], [engineer], false],
  [
    'with actions on the environment in its role on a namespace, which have no effect there',
    [grant({ role: 'ANALYST', scope: sales })],
    [grant({ action: 'READ_NAMESPACE', scope: sales }), grant({ action: 'READ_TABLE', scope: sales })],
    false,
  ],
  ['with more on a table', [grant({ action: 'WRITE_TABLE', scope: orders })], [grant({ role: 'ANALYST' })], true],
  [
    'with a table in another letter case',
    [grant({ action: 'READ_TABLE', scope: { ...orders, table: 'ORDERS' } })],
    [grant({ action: 'READ_TABLE', scope: orders })],
    false,
  ],
  ['with more on the instance', [grant({ role: 'ANALYST' })], [engineer], false],
  ['in another environment', [grant({ role: 'ADMIN', scope: scopeOf({ environment: 'dev' }) })], [], false],
  ['that manages the environment, which runs never do', [grant({ role: 'ADMIN', scope: prod })], [engineer], false],
  ['that reads the audit log', [grant({ action: 'READ_AUDIT_LOG' })], [engineer], true],
  ["that reads other people's statements", [grant({ action: 'READ_QUERY_TEXT' })], [grant({ role: 'ADMIN' })], true],
  ['that acts as others', [grant({ action: 'ACT_AS' })], [engineer], false],
  [
    'that reads the whole, for a caller with each part',
    [grant({ action: 'READ_TABLE', scope: sales })],
    [grant({ action: 'READ_TABLE', scope: orders })],
    true,
  ],
])('an account %s can do more than the caller in prod: (ACCESS-46)', (_, account, caller, more) => {
  expect(canDoMore(account, caller, 'prod')).toBe(more);
});

test('a grant on a service account covers that one and nothing else; ADMIN on the instance covers all (ACCESS-45)', () => {
  const nightly = scopeOf({ service_account: 'nightly' });
  const allows = (over: Partial<EffectiveGrant>, on = nightly) => decide([grant(over)], 'ACT_AS', on).allowed;
  expect(allows({ action: 'ACT_AS', scope: nightly })).toBe(true);
  expect(allows({ action: 'ACT_AS', scope: nightly }, scopeOf({ service_account: 'Nightly' }))).toBe(false);
  expect(allows({ action: 'ACT_AS', scope: nightly }, INSTANCE)).toBe(false);
  expect(allows({ action: 'ACT_AS' })).toBe(true);
  expect(allows({ role: 'ADMIN' })).toBe(true);
  expect(allows({ role: 'ADMIN', scope: prod })).toBe(false);
  expect(allows({ role: 'DATA_ENGINEER' })).toBe(false);
  // Many grants are decided through an index.
  const many = Array.from({ length: 40 }, (_, i) =>
    grant({ action: 'ACT_AS', scope: scopeOf({ service_account: `a${i}` }) }),
  );
  expect(decide(many, 'ACT_AS', scopeOf({ service_account: 'a7' })).via).toHaveLength(1);
  expect(decide(many, 'ACT_AS', nightly).allowed).toBe(false);
  expect(decide(many, 'READ_TABLE', orders).allowed).toBe(false);
});
