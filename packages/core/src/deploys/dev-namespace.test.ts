import { buildGraph, inDevNamespace, patternInDevNamespace, planRun } from './index.ts';
import { testAsset } from './testing/assets.ts';

test('assets and their dependencies move into the namespace; other tables stay, and views become tables (DEPLOY-24)', () => {
  const moved = inDevNamespace(
    [testAsset('core.geo.t', { kind: 'view' }), testAsset('marts.u', { dependsOn: ['Core.Geo.T', 'raw.x'] })],
    'dev_ann',
  );
  expect(moved.map(({ name, namespace, kind, dependsOn }) => ({ name, namespace, kind, dependsOn }))).toEqual([
    { name: 'dev_ann.core.geo.t', namespace: 'dev_ann.core.geo', kind: 'table', dependsOn: [] },
    { name: 'dev_ann.marts.u', namespace: 'dev_ann.marts', kind: 'table', dependsOn: ['dev_ann.Core.Geo.T', 'raw.x'] },
  ]);
});

test('so do the tables that checks read', () => {
  const checks = [{ name: 'c', sql: 'SELECT 1' }];
  const assets = [testAsset('core.t'), testAsset('core.u', { checks, checkReads: ['Core.T', 'raw.x'] })];
  expect(inDevNamespace(assets, 'dev_ann')[1]!.checkReads).toEqual(['dev_ann.Core.T', 'raw.x']);
});

test.each([
  ['*', ['dev.core.t', 'dev.marts.u']],
  ['marts.*', ['dev.marts.u']],
  ['tag:daily', ['dev.core.t']],
])('the pattern %s selects what it selects in the project (DEPLOY-24)', (pattern, expected) => {
  const { graph } = buildGraph(inDevNamespace([testAsset('core.t', { tags: ['daily'] }), testAsset('marts.u')], 'dev'));
  const select = [patternInDevNamespace(pattern, 'dev')];
  const plan = planRun(graph!, { select, upstream: false, downstream: false });
  expect(plan.ok && plan.tasks.map((task) => task.asset)).toEqual(expected);
});
