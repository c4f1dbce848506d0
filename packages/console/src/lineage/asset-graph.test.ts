import type { ProjectVersion } from '@svc/sdk/browser';
import { assetGraph, assetsOf } from './asset-graph.ts';

const versionOf = (repository: string, assets: Record<string, string[]>): ProjectVersion => ({
  id: repository,
  environment: 'dev',
  repository,
  commit: null,
  dirty: null,
  name: repository,
  package_indexes: [],
  assets: Object.entries(assets).map(([name, depends_on]) => ({
    ...{ name, depends_on, kind: 'table', language: 'sql', description: null, tags: [] },
  })),
  jobs: [],
  created_at: '2026-03-01T00:00:00.000Z',
});

const assets = assetsOf([
  versionOf('shop', { 'marts.days': ['raw.days'], 'marts.busy': ['Marts.Days'] }),
  versionOf('report', { 'report.top': ['marts.busy', 'Raw.Days'], 'report.all': ['report.top'] }),
]);

test('assets of all projects, and the tables that they read', () => {
  const { nodes, edges } = assetGraph(assets, undefined);
  expect(nodes.map(({ label, subtitle, isOutside }) => [label, subtitle, isOutside])).toEqual([
    ['marts.days', 'table · marts', false],
    ['raw.days', 'not an asset · raw', true],
    ['marts.busy', 'table · marts', false],
    ['report.top', 'table · report', false],
    ['report.all', 'table · report', false],
  ]);
  expect(edges).toEqual([
    ['raw.days', 'marts.days'],
    ['marts.days', 'marts.busy'],
    ['marts.busy', 'report.top'],
    ['raw.days', 'report.top'],
    ['report.top', 'report.all'],
  ]);
});

test('one project with its neighbors', () => {
  const { nodes, edges } = assetGraph(assets, 'shop');
  expect(nodes.map(({ label, isOutside }) => [label, isOutside])).toEqual([
    ['marts.days', false],
    ['raw.days', true],
    ['marts.busy', false],
    ['report.top', true],
  ]);
  expect(edges).toHaveLength(3);
});
