import type { Asset } from './asset.ts';
import { type AssetGraph, buildGraph } from './graph.ts';
import type { ResolvedJob } from './jobs-of-environment.ts';
import { type Selection, selectAssets, selectionProblem } from './selection.ts';

/** One task of a run: an asset and the planned assets that must be built before it, by name. */
export interface PlannedAsset {
  readonly asset: string;
  readonly dependsOn: readonly string[];
}

export type RunPlan =
  | { readonly ok: true; readonly tasks: readonly PlannedAsset[] }
  | { readonly ok: false; readonly message: string };

/** The tasks of a run in build order: the selected part of the graph. */
export function planRun(graph: AssetGraph, selection: Selection): RunPlan {
  const problem = selectionProblem(graph, selection);
  if (problem !== null) return { ok: false, message: `${problem.message}; ${problem.remedy}` };
  const { selected } = selectAssets(graph, selection);
  const chosen = new Set(selected);
  const name = (key: string) => graph.assets.get(key)!.name;
  const tasks = selected.map((key) => ({
    asset: name(key),
    dependsOn: (graph.upstream.get(key) ?? []).filter((other) => chosen.has(other)).map(name),
  }));
  return { ok: true, tasks };
}

/**
 * The tasks of each job, by the job's name.
 *
 * @throws Error for assets or jobs that a deploy would refuse
 */
export function planJobs(
  assets: readonly Asset[],
  jobs: readonly ResolvedJob[],
): ReadonlyMap<string, readonly PlannedAsset[]> {
  const graph = buildGraph(assets).graph!;
  return new Map(
    jobs.map((job) => {
      const plan = planRun(graph, job);
      if (!plan.ok) throw new Error(`a deployed job selects nothing: ${plan.message}`);
      return [job.name, plan.tasks];
    }),
  );
}
