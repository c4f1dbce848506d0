import { buildGraph, planRun, type ResolvedJob } from '@svc/core/deploys';
import type { Transaction } from '@svc/db/connection';
import { findVersions, type StoredVersion } from '@svc/db/deploys';
import type { PlannedTask } from '@svc/db/runs';

/** Versions kept at most; those used longest ago go first. */
const MOST_VERSIONS = 20_000;

/** What a start of a job builds. */
export interface JobPlan {
  job: ResolvedJob;
  tasks: readonly Omit<PlannedTask, 'id'>[];
}

type PlanOf = (job: string) => JobPlan | null;

/** Plans of the jobs of deployed versions: a version never changes, so each is read and planned once. */
export class Plans {
  private readonly kept = new Map<string, PlanOf>();

  /** By version id, of all that are asked for. */
  async load(tx: Transaction, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, PlanOf>> {
    const found = new Map<string, PlanOf>();
    const missing: string[] = [];
    for (const id of ids) {
      const plan = this.kept.get(id);
      if (plan === undefined) missing.push(id);
      else found.set(id, plan);
    }
    for (const version of await findVersions(tx, missing)) found.set(version.id, plansOf(version));
    this.keep(found);
    return found;
  }

  private keep(used: ReadonlyMap<string, PlanOf>): void {
    for (const [id, plan] of used) {
      this.kept.delete(id);
      this.kept.set(id, plan);
    }
    for (const id of this.kept.keys()) {
      if (this.kept.size <= MOST_VERSIONS) return;
      this.kept.delete(id);
    }
  }
}

function plansOf(version: StoredVersion): PlanOf {
  const graph = buildGraph(version.assets).graph!;
  const plans = new Map(version.jobs.map((job) => [job.name, planOf(graph, job)]));
  return (name) => plans.get(name) ?? null;
}

function planOf(graph: Parameters<typeof planRun>[0], job: ResolvedJob): JobPlan {
  const plan = planRun(graph, job);
  if (!plan.ok) throw new Error(`a deployed job selects nothing: ${plan.message}`);
  return { job, tasks: plan.tasks };
}
