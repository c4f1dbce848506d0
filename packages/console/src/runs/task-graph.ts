import type { ProjectVersion, Run } from '@svc/sdk/browser';
import { tableTarget } from '../catalog/table-target.ts';
import type { Graph } from '../graph/graph.ts';
import { nameKey } from '../lineage/asset-graph.ts';
import { toneOf } from './status-tone.ts';

/** The tasks of a run, with edges from each to those that read its table. */
export function taskGraph({ tasks }: Pick<Run, 'tasks'>, { assets }: Pick<ProjectVersion, 'assets'>): Graph {
  const inRun = new Map(tasks.map(({ asset }) => [nameKey(asset), asset]));
  const nodes = tasks.map(({ asset, status }) => {
    const { namespace, table } = tableTarget('', asset).params;
    return { id: asset, label: asset, title: table, subtitle: `${status} · ${namespace}`, tone: toneOf(status) };
  });
  const edges = assets.flatMap(({ name, depends_on }) => {
    const output = inRun.get(nameKey(name));
    if (output === undefined) return [];
    return depends_on.flatMap((input) => {
      const known = inRun.get(nameKey(input));
      return known === undefined ? [] : [[known, output] as const];
    });
  });
  return { nodes, edges };
}
