import type { ProjectVersion, Run } from '@svc/sdk/browser';
import { taskGraph } from './task-graph.ts';

const taskOf = (asset: string, status: Run['tasks'][number]['status']): Run['tasks'][number] => ({
  asset,
  status,
  started_at: null,
  ended_at: null,
  rows: null,
  error: null,
});
const assetOf = (name: string, depends_on: string[]): ProjectVersion['assets'][number] => ({
  name,
  kind: 'table',
  language: 'sql',
  description: null,
  depends_on,
  tags: [],
});

test('the tasks of a run are connected by what their assets read, whatever the case of names', () => {
  const tasks = [taskOf('marts.days', 'succeeded'), taskOf('marts.eu.busy', 'failed')];
  const assets = [
    assetOf('marts.days', ['raw.days']),
    assetOf('marts.eu.busy', ['Marts.Days', 'marts.other']),
    assetOf('marts.other', ['marts.days']),
  ];
  const { nodes, edges } = taskGraph({ tasks }, { assets });
  expect(nodes).toEqual([
    { id: 'marts.days', label: 'marts.days', title: 'days', subtitle: 'succeeded · marts', tone: 'good' },
    { id: 'marts.eu.busy', label: 'marts.eu.busy', title: 'busy', subtitle: 'failed · marts.eu', tone: 'bad' },
  ]);
  expect(edges).toEqual([['marts.days', 'marts.eu.busy']]);
});
