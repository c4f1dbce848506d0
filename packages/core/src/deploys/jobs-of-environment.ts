import type { ProjectDiagnostic } from './diagnostics.ts';
import type { AssetGraph } from './graph.ts';
import { MANIFEST_FILE, type Manifest } from './manifest.ts';
import { DEFAULT_ZONE, type Schedule, type ScheduleOverride } from './schedule.ts';
import { isPattern, selectionProblem } from './selection.ts';

/** A job as it applies in one environment. */
export interface ResolvedJob {
  readonly name: string;
  readonly select: readonly string[];
  readonly upstream: boolean;
  readonly downstream: boolean;
  readonly schedule: Schedule | null;
  readonly webhook: string | null;
  /** Null: the job sets no limit. */
  readonly timeoutSeconds: number | null;
  readonly retries: number;
}

/** The jobs of a manifest in an environment, sorted by name, with the environment's overrides (DEPLOY-5). */
export function resolveJobs(manifest: Manifest, environment: string): ResolvedJob[] {
  const overrides = manifest.environments.get(environment);
  return [...manifest.jobs.values()]
    .map((job) => ({
      name: job.name,
      select: job.select,
      upstream: job.upstream,
      downstream: job.downstream,
      schedule: mergeSchedule(job.schedule, overrides?.get(job.name)?.schedule),
      webhook: job.webhook,
      timeoutSeconds: job.timeoutSeconds ?? manifest.defaults.timeoutSeconds,
      retries: job.retries ?? manifest.defaults.retries,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function mergeSchedule(declared: Schedule | null, override: ScheduleOverride | null | undefined): Schedule | null {
  if (override === undefined) return declared;
  if (override === null) return null;
  const cron = override.cron ?? declared?.cron;
  return cron === undefined ? null : { cron, timezone: override.timezone ?? declared?.timezone ?? DEFAULT_ZONE };
}

/** Refuses jobs whose selection matches no asset of the project or contains an invalid pattern (DEPLOY-5). */
export function checkJobs(manifest: Manifest, graph: AssetGraph): ProjectDiagnostic[] {
  const problems: ProjectDiagnostic[] = [];
  for (const job of manifest.jobs.values()) {
    const bad = job.select.filter((pattern) => !isPattern(pattern));
    for (const pattern of bad) {
      problems.push({
        file: MANIFEST_FILE,
        line: job.line,
        message: `the job ${job.name} selects ${JSON.stringify(pattern)}, which is not a pattern`,
        remedy: 'write an asset name with "*" for any text, or tag:<tag>',
      });
    }
    const found = bad.length > 0 ? null : selectionProblem(graph, job);
    if (found !== null)
      problems.push({
        file: MANIFEST_FILE,
        line: job.line,
        ...found,
        message: `the job ${job.name}: ${found.message}`,
      });
  }
  return problems;
}

/** What a deploy can change about a job (DEPLOY-3). */
export const JOB_CHANGES = ['selection', 'cron', 'time zone'] as const;
export type JobChange = (typeof JOB_CHANGES)[number];

/** The `jobs` of a deploy (DEPLOY-2, DEPLOY-3). */
export interface JobChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly { readonly name: string; readonly changes: readonly JobChange[] }[];
}

/** The fields of a job that two versions are compared by. */
export type ComparedJob = Pick<ResolvedJob, 'name' | 'select' | 'upstream' | 'downstream' | 'schedule'>;

/** Compares the jobs of two versions in one environment; each list is sorted by name. */
export function diffJobs(before: readonly ComparedJob[], after: readonly ComparedJob[]): JobChanges {
  const old = new Map(before.map((job) => [job.name, job]));
  const names = new Set(after.map((job) => job.name));
  const changed: { name: string; changes: JobChange[] }[] = [];
  for (const job of after) {
    const previous = old.get(job.name);
    const changes = previous === undefined ? [] : changesOf(previous, job);
    if (changes.length > 0) changed.push({ name: job.name, changes });
  }
  return {
    added: [...names].filter((name) => !old.has(name)).sort(),
    removed: [...old.keys()].filter((name) => !names.has(name)).sort(),
    changed: changed.sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function changesOf(before: ComparedJob, after: ComparedJob): JobChange[] {
  const changes: JobChange[] = [];
  const selection = (job: ComparedJob): string =>
    JSON.stringify([[...new Set(job.select)].sort(), job.upstream, job.downstream]);
  if (selection(before) !== selection(after)) changes.push('selection');
  if (before.schedule?.cron !== after.schedule?.cron) changes.push('cron');
  // Adding or removing a schedule is one change, of its cron.
  if (before.schedule && after.schedule && before.schedule.timezone !== after.schedule.timezone)
    changes.push('time zone');
  return changes;
}
