import { type EnforcedBy, TASK_LIMITS, type TaskLimitName } from '@svc/core/workers';
import { WORK_KINDS, type WorkKind } from '@svc/db/leases';
import type { Sandbox } from '@svc/lake/queries';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { runningChildren } from '../programs/child-process.ts';

/**
 * How the processing of a claim finished: `ended` doesn't mean that the work succeeded, `failed` is an unexpected
 * error.
 */
export type WorkOutcome = 'finished' | 'failed' | 'lease-lost' | 'released';

/** Prometheus metrics of one worker. They never name a person, an object or a statement. */
export interface WorkMetrics {
  registry: Registry;
  /** Records a claim. Call the returned function when the work finishes. */
  claimed: (kind: WorkKind) => (outcome: WorkOutcome) => void;
  task: (labels: { kind: string; language: string; outcome: 'succeeded' | 'failed' }, seconds: number) => void;
  /** Records an iteration of a background loop. */
  loopFinished: (
    loop: string,
    outcome: 'finished' | 'failed',
    seconds: number,
    counts?: Record<string, number>,
  ) => void;
  leaseLost: (kind: WorkKind) => void;
  /** Records whether tasks are isolated from this process. */
  isolated: (isIsolated: boolean) => void;
  /** Records whether tasks can only connect to the service and to approved hosts. */
  networkRestricted: (isRestricted: boolean) => void;
  /** Records how each limit of tasks is enforced. */
  limited: (by: Readonly<Record<TaskLimitName, EnforcedBy>>) => void;
  /** Records a task that failed because it exceeded a limit. */
  overLimit: (limit: TaskLimitName) => void;
}

const LONG = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800, 3600];

export function createWorkMetrics({ sandbox }: { sandbox: Pick<Sandbox, 'children'> }): WorkMetrics {
  const registry = new Registry();
  const registers = [registry];
  const work = new Histogram({
    name: 'svc_work_duration_seconds',
    help: 'Duration from the claim of a work item to its completion, by kind and outcome',
    labelNames: ['kind', 'outcome'],
    buckets: [0.01, 0.05, ...LONG],
    registers,
  });
  const claims = new Counter({
    name: 'svc_work_claimed_total',
    help: 'Work items that this worker claimed, by kind',
    labelNames: ['kind'],
    registers,
  });
  const running = new Gauge({
    name: 'svc_work_running',
    help: 'Work items that this worker is executing, by kind',
    labelNames: ['kind'],
    registers,
  });
  const leasesLost = new Counter({
    name: 'svc_leases_lost_total',
    help: 'Leases that this worker lost while it executed the work, by kind',
    labelNames: ['kind'],
    registers,
  });
  for (const kind of WORK_KINDS) {
    running.set({ kind }, 0);
    claims.inc({ kind }, 0);
    leasesLost.inc({ kind }, 0);
  }
  const isolated = new Gauge({
    name: 'svc_tasks_isolated',
    help: '1 if Python tasks run in a sandbox, 0 if they can read what this process can read',
    registers,
  });
  const network = new Gauge({
    name: 'svc_tasks_network_restricted',
    help: '1 if Python tasks can only connect to the service and to approved hosts, 0 if they reach what this process reaches',
    registers,
  });
  measureChildren(registry, sandbox);
  const limits = measureLimits(registry);
  return {
    registry,
    claimed: (kind) => {
      const began = performance.now();
      claims.inc({ kind });
      running.inc({ kind });
      return (outcome) => {
        running.dec({ kind });
        work.observe({ kind, outcome }, (performance.now() - began) / 1000);
      };
    },
    leaseLost: (kind) => leasesLost.inc({ kind }),
    isolated: (isIsolated) => isolated.set(isIsolated ? 1 : 0),
    networkRestricted: (isRestricted) => network.set(isRestricted ? 1 : 0),
    ...limits,
    task: measureTasks(registry),
    loopFinished: measureLoops(registry),
  };
}

function measureLimits(registry: Registry): Pick<WorkMetrics, 'limited' | 'overLimit'> {
  const enforced = new Gauge({
    name: 'svc_task_limit_enforced',
    help: '1 for the mechanism that enforces each limit of Python tasks: cgroup, rlimit, watchdog or none',
    labelNames: ['limit', 'by'],
    registers: [registry],
  });
  const exceeded = new Counter({
    name: 'svc_task_limits_exceeded_total',
    help: 'Python tasks that failed because they exceeded a limit, by limit',
    labelNames: ['limit'],
    registers: [registry],
  });
  for (const limit of TASK_LIMITS) exceeded.inc({ limit }, 0);
  return {
    limited: (by) => {
      for (const limit of TASK_LIMITS) enforced.set({ limit, by: by[limit] }, 1);
    },
    overLimit: (limit) => exceeded.inc({ limit }),
  };
}

function measureTasks(registry: Registry): WorkMetrics['task'] {
  const seconds = new Histogram({
    name: 'svc_task_duration_seconds',
    help: 'Attempts to build an asset, by kind, language and outcome',
    labelNames: ['kind', 'language', 'outcome'],
    buckets: LONG,
    registers: [registry],
  });
  return (labels, spent) => seconds.observe(labels, spent);
}

/** Measures the loops (sweep, maintenance, scheduler and others): duration of each iteration and the work done. */
function measureLoops(registry: Registry): WorkMetrics['loopFinished'] {
  const seconds = new Histogram({
    name: 'svc_loop_duration_seconds',
    help: 'Duration of background loop iterations, by loop and outcome',
    labelNames: ['loop', 'outcome'],
    buckets: [0.005, 0.05, 0.5, 5, 60, 600],
    registers: [registry],
  });
  const done = new Counter({
    name: 'svc_loop_done_total',
    help: 'Items that the background loops processed, by loop and type',
    labelNames: ['loop', 'what'],
    registers: [registry],
  });
  return (loop, outcome, spent, counts = {}) => {
    seconds.observe({ loop, outcome }, spent);
    for (const [what, count] of Object.entries(counts)) if (count > 0) done.inc({ loop, what }, count);
  };
}

function measureChildren(registry: Registry, sandbox: Pick<Sandbox, 'children'>): void {
  new Gauge({
    name: 'svc_child_processes',
    help: 'Processes started by this one: query engine processes (including preforked ones) and programs of tasks',
    labelNames: ['of'],
    registers: [registry],
    collect() {
      this.set({ of: 'statements' }, sandbox.children);
      this.set({ of: 'tasks' }, runningChildren());
    },
  });
}
