import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxNetwork } from '../isolation/index.ts';
import { type LimitedResult, runLimited } from '../limits/index.ts';
import { type GuardProxy, networkFailure, startTaskProxy } from '../outgoing/index.ts';
import { filterWithout, type TextFilter } from '../programs/redaction.ts';
import type { InterpreterOptions, TaskProxy } from './interpreter-options.ts';
import type { PythonTask, PythonTaskResult, SparkTask } from './python-task.ts';
import { pythonArguments } from './python-tool.ts';
import { failed, overLimit, readFrame, readResult } from './read-result.ts';
import { outputOf, pathsOf, scratchOf, temporaryOf, workingFolder } from './task-folders.ts';
import { startVariables, taskVariables } from './task-variables.ts';

type OnLine = PythonTask['onLine'];

/**
 * A Python interpreter in its own sandbox and process group. It starts at once and waits for its only task, because a start
 * takes longer than many tasks. Until then, it has no token and runs no code of the project.
 */
export class PythonInterpreter {
  readonly workDir: string;
  private readonly options: InterpreterOptions;
  private readonly controller = new AbortController();
  /** Its working folder, when that and its proxy are there. */
  private readonly opened: Promise<string>;
  private readonly result: Promise<LimitedResult>;
  private readonly earlyLines: Parameters<OnLine>[] = [];
  private onLine: OnLine = (...line) => this.earlyLines.push(line);
  private sendTask!: (text: string) => void;
  private sendTable!: (text: string) => void;
  /** Null until it gets its task. */
  private token: string | null = null;
  private exited = false;
  private proxy: TaskProxy | null = null;

  constructor(options: InterpreterOptions) {
    this.options = options;
    this.workDir = options.workDir;
    const task = new Promise<string>((resolve) => {
      this.sendTask = resolve;
    });
    const table = new Promise<string>((resolve) => {
      this.sendTable = resolve;
    });
    this.opened = this.open();
    this.result = this.opened
      .then((cwd) => this.start(cwd, [task, table]))
      .finally(() => {
        this.exited = true;
      });
    // Reported to the task that gets it.
    this.result.catch(() => undefined);
  }

  /** Whether it can still run a task. */
  get isWaiting(): boolean {
    return !this.exited;
  }

  /**
   * Runs one Python asset and returns what it wrote. The task gets its token and the service's URL and nothing else of the
   * worker's. Failures are returned as values.
   */
  async run(task: PythonTask): Promise<PythonTaskResult> {
    this.token = task.token;
    this.onLine = task.spark?.stage === undefined ? task.onLine : this.untilFrame(task, task.spark);
    for (const line of this.earlyLines) this.onLine(...line);
    const abort = () => this.controller.abort();
    if (task.signal?.aborted) abort();
    task.signal?.addEventListener('abort', abort, { once: true });
    try {
      // If it failed, so does the result.
      await this.opened.catch(() => undefined);
      if (task.spark === undefined) this.sendTable('');
      else this.proxy?.allow({ scheme: 'https', host: hostOf(task.spark), port: task.spark.server.port });
      this.sendTask(
        `${JSON.stringify({ ...taskOf(task, this.options), variables: taskVariables(task, this.options, this.proxy) })}\n`,
      );
      const result = await this.result;
      const { limits } = this.options.limited.enforcement;
      const written = { output: outputOf(this.options), limits };
      return stoppedResult(task, result) ?? this.explain(await readResult(task, written, result.exitCode!));
    } finally {
      task.signal?.removeEventListener('abort', abort);
    }
  }

  /** A task can print its token; the log must not contain it. Long lines are logged in pieces, so a piece can end within it. */
  private withoutToken(): TextFilter {
    let filter: TextFilter | null = null;
    return {
      push: (text) => {
        if (this.token === null) return text;
        filter ??= filterWithout(this.token);
        return filter.push(text);
      },
      end: () => filter?.end() ?? '',
    };
  }

  /** The reason for which the proxy refused a connection contains the name of the host. */
  private withoutTokenIn(text: string): string {
    return this.token === null ? text : text.replaceAll(this.token, '***');
  }

  /** Passes lines on to the log, except the one with which the task announces a DataFrame: then it gets a table for it, once. */
  private untilFrame(task: PythonTask, { marker, stage }: SparkTask): OnLine {
    let announced = false;
    return (stream, line) => {
      if (announced || stream !== 'stdout' || !line.endsWith(marker)) return task.onLine(stream, line);
      announced = true;
      const rest = line.slice(0, -marker.length);
      if (rest !== '') task.onLine(stream, rest);
      const table = readFrame(task, outputOf(this.options)).then((columns) =>
        columns === null ? '' : stage!(columns),
      );
      // Without a table, the task fails.
      void table.catch(() => '').then((name) => this.sendTable(name === '' ? '' : `${name}\n`));
    };
  }

  /** Adds what to do if a task failed because it couldn't connect. */
  private explain(result: PythonTaskResult): PythonTaskResult {
    if (this.proxy === null || result.status !== 'failed' || result.failure.code !== 'task-failed') return result;
    const sharesNetwork = this.options.isolation.kind === 'landlock';
    const explained = networkFailure(result.failure.detail, { refused: this.proxy.refused, sharesNetwork });
    return explained === null ? result : { ...result, failure: { ...result.failure, ...explained } };
  }

  /** Stops an interpreter that gets no task. */
  async discard(): Promise<void> {
    this.controller.abort();
    await this.result.catch(() => undefined);
  }

  private async open(): Promise<string> {
    const { options } = this;
    const folders = [outputOf(options), scratchOf(options), ...Object.values(temporaryOf(options))];
    for (const folder of folders) await mkdir(folder, { recursive: true });
    const cwd = await workingFolder(options);
    this.proxy = await openProxy(options, (reason) => this.onLine('stderr', this.withoutTokenIn(reason)));
    return cwd;
  }

  private async start(cwd: string, input: readonly Promise<string>[]): Promise<LimitedResult> {
    const { options } = this;
    const { python, support, workDir, isolation, network } = options;
    const relay =
      network === null || isolation.kind === 'landlock'
        ? null
        : { folder: join(support, 'svc'), port: network.service.port };
    const limited = { ...options.limited, python, folder: workDir, relay };
    return runLimited(
      { isolation, paths: { ...pathsOf(options), network: networkOf(this.proxy) }, limited },
      {
        command: python,
        args: ['-u', ...pythonArguments({ command: python, support }, 'svc._runner', [])],
        cwd,
        env: startVariables(options, this.proxy),
        input,
        signal: this.controller.signal,
        filter: () => this.withoutToken(),
        onLine: (...line) => this.onLine(...line),
      },
    ).finally(() => this.proxy?.close());
  }
}

/** As in URLs. */
const hostOf = ({ server: { host } }: SparkTask): string => (host.includes(':') ? `[${host}]` : host);

/** Returns the result of a task that was stopped or killed; null if it exited by itself and its own result counts. */
function stoppedResult(task: PythonTask, result: LimitedResult): PythonTaskResult | null {
  if (result.outcome === 'aborted') return failed('cancelled', `the task ${task.asset} was cancelled`, null, true);
  if (result.breach !== null) return overLimit(task, result.breach);
  if (result.outcome === 'not-started') {
    return failed(
      'environment-missing',
      `the environment's Python couldn't be started: ${result.stderr}`,
      'run it again',
    );
  }
  if (result.exitCode === null) {
    const signal = result.signal ?? 'a signal';
    const remedy = 'run it again with less data; the machine may have run out of memory';
    return failed('task-killed', `the task ${task.asset} was killed by ${signal}`, remedy);
  }
  return null;
}

function openProxy(
  { network, workDir, isolation }: InterpreterOptions,
  onRefused: (reason: string) => void,
): Promise<TaskProxy> | null {
  const folder = isolation.kind === 'landlock' ? null : workDir;
  return network === null ? null : startTaskProxy(network, { folder, hosts: network.hosts, onRefused });
}

function networkOf(proxy: TaskProxy | null): SandboxNetwork {
  if (proxy === null) return { kind: 'worker' };
  return 'socket' in proxy ? { kind: 'relay', socket: proxy.socket } : { kind: 'port', port: portOf(proxy) };
}

const portOf = ({ url }: GuardProxy): number => Number(new URL(url).port);

const taskOf = (task: PythonTask, options: InterpreterOptions) => ({
  project: options.projectDir,
  file: task.file,
  function: task.function,
  asset: task.asset,
  kind: task.kind,
  run_id: task.runId,
  environment: task.environment,
  output: outputOf(options),
  scratch: scratchOf(options),
  watermark: task.watermark?.text ?? null,
  watermark_type: task.watermark?.type ?? null,
  is_first_run: task.isFirstRun ?? true,
  spark:
    task.spark === undefined
      ? null
      : {
          url: task.spark.server.url,
          catalog: task.spark.catalog,
          marker: task.spark.marker,
          proxied: options.network !== null,
        },
});
