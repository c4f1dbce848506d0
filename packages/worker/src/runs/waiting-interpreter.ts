import { removeFolder } from '../limits/index.ts';
import type { PreparedPython } from '../python/interpreter-options.ts';
import { PythonInterpreter } from '../python/python-interpreter.ts';
import { makeTaskFolder } from '../python/task-folders.ts';
import type { WorkerDeps } from '../work/deps.ts';

/** Milliseconds between two measurements of what a task or a build uses. */
export const WATCH_PERIOD_MS = 200;

interface Waiting {
  readonly prepared: PreparedPython;
  readonly interpreter: PythonInterpreter;
}

/**
 * The Python interpreters of one run. While a task runs or is committed, the interpreter of the next one already starts. Every
 * task has an interpreter of its own.
 */
export class WaitingInterpreter {
  private readonly deps: WorkerDeps;
  private readonly runId: string;
  /** Hosts that the project names. */
  private readonly hosts: readonly string[];
  /** Number of Python tasks that haven't taken an interpreter. */
  private remaining: number;
  private waiting: Promise<Waiting> | null = null;
  private closed = false;

  /** @param pythonTasks number of Python tasks of the run */
  constructor(
    deps: WorkerDeps,
    { runId, hosts, pythonTasks }: { runId: string; hosts: readonly string[]; pythonTasks: number },
  ) {
    this.deps = deps;
    this.runId = runId;
    this.hosts = hosts;
    this.remaining = pythonTasks;
  }

  /** Takes an interpreter for a task. The caller removes its folder. */
  async take(prepared: PreparedPython): Promise<PythonInterpreter> {
    const found = await this.takeWaiting();
    this.remaining--;
    if (found?.interpreter.isWaiting && isSame(found.prepared, prepared)) {
      this.startNext(prepared);
      return found.interpreter;
    }
    if (found !== null) await discard(found);
    const { interpreter } = await this.start(prepared);
    this.startNext(prepared);
    return interpreter;
  }

  async close(): Promise<void> {
    this.closed = true;
    const found = await this.takeWaiting();
    if (found !== null) await discard(found);
  }

  private async takeWaiting(): Promise<Waiting | null> {
    const { waiting } = this;
    this.waiting = null;
    return waiting?.catch(() => null) ?? null;
  }

  private startNext(prepared: PreparedPython): void {
    if (this.closed || this.remaining <= 0 || this.waiting !== null) return;
    this.waiting = this.start(prepared);
    // The task that needs it starts another, and reports the error.
    this.waiting.catch(() => undefined);
  }

  private async start(prepared: PreparedPython): Promise<Waiting> {
    const { deps, runId, hosts } = this;
    const workDir = await makeTaskFolder(deps.workDir);
    const onError = (error: unknown) =>
      deps.log.warn({ err: error, run: runId }, "a limit of a task couldn't be enforced");
    const interpreter = new PythonInterpreter({
      ...prepared,
      isolation: deps.isolation,
      limited: { enforcement: deps.enforcement, id: deps.newId(), periodMs: WATCH_PERIOD_MS, onError },
      workDir,
      network: deps.taskNetwork === null ? null : { ...deps.taskNetwork, hosts },
      inheritedEnv: deps.inheritedEnv,
    });
    return { prepared, interpreter };
  }
}

const isSame = (a: PreparedPython, b: PreparedPython): boolean =>
  a.python === b.python && a.support === b.support && a.projectDir === b.projectDir;

async function discard({ interpreter }: Waiting): Promise<void> {
  await interpreter.discard();
  await removeFolder(interpreter.workDir);
}
