import type { Action, EffectiveGrant } from '../access/index.ts';
import { scopeOf } from '../access/index.ts';
import { type Change, canRead, changeOf, type RecordedChange } from './index.ts';

const RECORDED: RecordedChange = {
  ...{ type: 'RUN_ENDED', principal_id: 'worker', id: 'r1', job: null, repository: null, namespace: null },
  ...{ requested_by: 'ann', table: null },
};
const change = (parts: Partial<RecordedChange>): Change => changeOf({ ...RECORDED, ...parts })!;
const table = (dropped = false) =>
  change({ type: 'TABLE_WRITE', table: { namespace: 'sales.eu', name: 'orders', dropped } });

const grant = (
  action: Action,
  object: { environment?: string; namespace?: string; table?: string },
): EffectiveGrant => ({
  ...{ grant_id: 'g', role: null, action, group: null, created_at: 0 },
  scope: scopeOf(object),
});
const admin: EffectiveGrant = { ...grant('RUN', {}), role: 'ADMIN', action: null };
const can = (what: Change, grants: EffectiveGrant[], principalId = 'bob', rightsChanged = false) =>
  canRead({ principalId, environment: 'dev', grants, rightsChanged }, what);

test('runs, jobs and deploys need READ_ENVIRONMENT, or RUN for a run that the caller requested (LIVE-2)', () => {
  const reader = [grant('READ_ENVIRONMENT', { environment: 'dev' })];
  const runner = [grant('RUN', { environment: 'dev' })];
  for (const type of ['RUN_STARTED', 'JOB_PAUSED', 'DEPLOY_FAILED', 'ENVIRONMENT_UPDATED'] as const) {
    expect([type, can(change({ type }), reader)]).toEqual([type, true]);
    expect([type, can(change({ type }), runner)]).toEqual([type, false]);
    expect([type, can(change({ type }), [grant('READ_ENVIRONMENT', { environment: 'other' })])]).toEqual([type, false]);
  }
  expect(can(change({}), runner, 'ann')).toBe(true);
  expect(can(change({}), [], 'ann')).toBe(false);
});

test('tables need READ_TABLE by their present name, and dropped ones on their namespace (LIVE-2, DROP-14)', () => {
  const onTable = [grant('READ_TABLE', { environment: 'dev', namespace: 'sales.eu', table: 'Orders' })];
  const onParent = [grant('READ_TABLE', { environment: 'dev', namespace: 'sales' })];
  const beside = [grant('READ_TABLE', { environment: 'dev', namespace: 'sales.eu', table: 'other' })];
  expect([onTable, onParent, beside].map((grants) => can(table(), grants))).toEqual([true, true, false]);
  expect([onTable, onParent].map((grants) => can(table(true), grants))).toEqual([false, true]);
  expect(table().event).toEqual({ kind: 'table', id: null, name: 'sales.eu.orders', repository: null });
});

test('namespaces need READ_NAMESPACE, and queries are only for their submitter (LIVE-2)', () => {
  const created = change({ type: 'NAMESPACE_CREATED', namespace: 'hr' });
  expect(can(created, [grant('READ_NAMESPACE', { environment: 'dev', namespace: 'hr' })])).toBe(true);
  expect(can(created, [grant('READ_NAMESPACE', { environment: 'dev', namespace: 'sales' })])).toBe(false);
  const query = change({ type: 'QUERY_COMPLETED', principal_id: 'ann', id: 'q1' });
  expect([can(query, [admin]), can(query, [], 'ann')]).toEqual([false, true]);
});

test('a change of rights is for administrators of grants, and for those whose own rights changed (LIVE-2)', () => {
  const granted = change({ type: 'GRANT_CREATED' });
  expect(can(granted, [admin])).toBe(true);
  expect(can(granted, [grant('READ_ENVIRONMENT', { environment: 'dev' })])).toBe(false);
  expect(can(granted, [], 'bob', true)).toBe(true);
});

test('an event that no page shows, and one of a table whose record is gone, is not a change', () => {
  expect(changeOf({ ...RECORDED, type: 'SIGNED_IN' })).toBeNull();
  expect(changeOf({ ...RECORDED, type: 'TABLE_PURGED' })).toBeNull();
});
