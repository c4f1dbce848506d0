import type { FailureDefinition } from './definition.ts';

/** Failures of any work, of runs and of their tasks. */
export const RUN_FAILURES = {
  cancelled: {
    of: 'all',
    cause: 'Somebody cancelled it.',
    remedy: 'Start it again if you still need it.',
  },
  'not-allowed': {
    of: 'queries, deploys, runs, tasks',
    cause: 'Its principal was deactivated, or lost a permission that it needs.',
    remedy: 'Run the command in the record, or activate the principal.',
  },
  'worker-lost': {
    of: 'all',
    cause: 'The worker stopped twice while it ran this, or met an internal error. Nothing was changed.',
    remedy:
      'Start it again. If it fails again, increase the memory of the worker or make the work smaller; the log of the worker has the error under the id of the work.',
  },
  'environment-deleted': {
    of: 'runs',
    cause: 'The environment was deleted before or during the run.',
    remedy: 'Restore it with `svc env restore`.',
  },
  'tasks-failed': {
    of: 'runs',
    cause: 'At least one task failed.',
    remedy: 'Read its error with `svc runs show` and `svc runs logs`, then `svc runs retry`.',
  },
  skipped: {
    of: 'tasks',
    cause: 'A task that it depends on failed.',
    remedy: 'Correct that task, then `svc runs retry`.',
  },
  'check-failed': {
    of: 'tasks',
    cause: 'A check found rows. The table is unchanged; the rejected rows are on the branch `failed_check`.',
    remedy: 'Correct the data or the check and run it again.',
  },
  'task-failed': {
    of: 'tasks',
    cause: "The function of a Python asset raised an exception or returned what can't be stored.",
    remedy: 'Read the log of the task.',
  },
  'task-timeout': {
    of: 'tasks',
    cause: 'The function of a Python asset ran longer than its time limit.',
    remedy: 'Make it faster, or raise `timeout_seconds` of the job or under `defaults` in `svc.yaml`.',
  },
  'task-killed': {
    of: 'tasks',
    cause: 'The process of the task was killed by a signal; the machine may have run out of memory.',
    remedy: 'Run it again with less data.',
  },
  'task-memory-exceeded': {
    of: 'tasks',
    cause: 'The task exceeded `SVC_RUN__TASK_MEMORY`.',
    remedy: 'Read fewer columns or smaller batches, or have the operator raise the limit.',
  },
  'task-processes-exceeded': {
    of: 'tasks',
    cause: 'The task exceeded `SVC_RUN__TASK_PROCESSES`.',
    remedy: 'Use smaller pools of processes and threads, or have the operator raise the limit.',
  },
  'task-open-files-exceeded': {
    of: 'tasks',
    cause: 'A process of the task exceeded `SVC_RUN__TASK_OPEN_FILES`.',
    remedy: 'Close files and connections after use, or have the operator raise the limit.',
  },
  'task-disk-exceeded': {
    of: 'tasks',
    cause: 'The task exceeded `SVC_RUN__TASK_DISK`.',
    remedy: 'Delete temporary files after use or return less, or have the operator raise the limit.',
  },
  'worker-disk-full': {
    of: 'tasks',
    cause: 'The disk of the worker is full. Nothing of the task was stored.',
    remedy: "Have the operator free space in the worker's folder.",
  },
  'kind-changed': {
    of: 'tasks',
    cause: 'The table exists with another kind than the one that the project builds.',
    remedy: 'Drop it, or rename the asset.',
  },
  'no-columns': {
    of: 'tasks',
    cause: 'A Python asset returned no rows, and there is no table yet to take the columns from.',
    remedy: 'Return at least one row the first time, or an Arrow table or a DataFrame.',
  },
  'no-watermark-column': {
    of: 'tasks',
    cause: "The asset doesn't return the column that it declares as its watermark.",
    remedy: 'Return the column, or correct the declaration.',
  },
  'result-incomplete': {
    of: 'tasks',
    cause: 'Fewer rows can be read than the function returned. Nothing was stored.',
    remedy: "Don't change the files in the task's output folder, and run it again.",
  },
  'result-unreadable': {
    of: 'tasks',
    cause: "The rows that the function returned can't be read.",
    remedy: 'Return rows of values that a table can hold.',
  },
  'environment-failed': {
    of: 'tasks',
    cause: "uv couldn't build the Python environment.",
    remedy: 'Correct the dependencies as the output of uv says, and lock again.',
  },
  'environment-missing': {
    of: 'tasks',
    cause: "The Python environment couldn't be started.",
    remedy: 'Run it again, which builds it if it is missing.',
  },
  'environment-timeout': {
    of: 'tasks',
    cause: 'Building the Python environment took too long.',
    remedy: 'Run it again.',
  },
  'uv-missing': {
    of: 'deploys, tasks',
    cause: 'The worker has no uv.',
    remedy: 'Have the operator install uv, or set `SVC_RUN__UV`.',
  },
  'python-missing': {
    of: 'deploys, tasks',
    cause: "The worker doesn't have the requested version of Python.",
    remedy: 'Have the operator install it, or change `python` in `svc.yaml`.',
  },
  'isolation-missing': {
    of: 'tasks',
    cause: "Python tasks must run in a sandbox, which the worker can't provide.",
    remedy:
      'Have the operator install bubblewrap, allow user namespaces or Landlock, or accept that tasks can read everything that the worker can read (`SVC_RUN__ISOLATION=none`).',
  },
} satisfies Record<string, FailureDefinition>;
