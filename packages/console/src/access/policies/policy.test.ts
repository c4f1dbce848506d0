import { createPolicyCommand, effectSql, type PolicyDraft, policiesOf } from './policy.ts';

const DRAFT: PolicyDraft = {
  kind: 'filter',
  to: 'group',
  name: ' emea ',
  column: 'email',
  expression: "region = 'EMEA'",
};

test('the command creates the policy, and replaces another one', () => {
  expect(createPolicyCommand('dev', 'sales.orders', DRAFT, null)).toBe(
    `svc policy row-filter create sales.orders --env dev --group emea --predicate 'region = '\\''EMEA'\\'''`,
  );
  const stored = { id: '0199', principal: 'ann', group: null, created_at: '', created_by: null, table: 'sales.orders' };
  const [mask] = policiesOf([], [{ ...stored, column: 'email', expression: 'NULL' }]);
  expect(
    createPolicyCommand(
      'dev',
      'sales.orders',
      { ...DRAFT, kind: 'mask', to: 'principal', name: '', expression: ' ' },
      mask!,
    ),
  ).toBe(
    'svc policy column-mask create sales.orders --env dev --principal NAME --column email --expression SQL --replace 0199',
  );
});

test('the statement counts the rows that stay visible, or shows values before and after', () => {
  const table = { namespace: 'sales.eu', name: 'or"ders' };
  expect(effectSql(table, { ...DRAFT, expression: 'id > 1 -- large' })).toBe(
    'SELECT count(*) AS all_rows, count(*) FILTER (WHERE (\nid > 1 -- large\n)) AS visible_rows\nFROM "sales"."eu"."or""ders"',
  );
  expect(effectSql(table, { kind: 'mask', column: 'a"b', expression: 'NULL' })).toBe(
    'SELECT "a""b" AS before, (\nNULL\n) AS after\nFROM "sales"."eu"."or""ders" LIMIT 5',
  );
});
