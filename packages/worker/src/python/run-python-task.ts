import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SandboxPaths } from '../isolation/index.ts';
import { type LimitedResult, runLimited } from '../limits/index.ts';
import type { PythonTask, PythonTaskResult } from './python-task.ts';
import { pythonArguments } from './python-tool.ts';
import { failed, overLimit, readResult } from './read-result.ts';

/**
 * Runs one Python asset in its project's Python environment, in its own process group, and returns what it wrote. The
 * task's environment contains the token and the service's URL and nothing else of the worker's. Failures are returned
 * as values.
 */
export async function runPythonTask(task: PythonTask): Promise<PythonTaskResult> {
  const output = join(task.workDir, 'output');
  const scratch = join(task.workDir, 'scratch');
  for (const folder of [output, scratch, ...Object.values(temporaryOf(task))]) await mkdir(folder, { recursive: true });
  const request = join(task.workDir, 'task.json');
  await writeFile(request, JSON.stringify(taskFile(task, output, scratch)), { mode: 0o600 });
  const limited = { ...task.limited, python: task.python, folder: task.workDir };
  const result = await runLimited(
    { isolation: task.isolation, paths: pathsOf(task), limited },
    {
      command: task.python,
      args: ['-u', ...pythonArguments({ command: task.python, support: task.support }, 'svc._runner', [request])],
      cwd: await workingFolder(task),
      env: taskEnvironment(task, scratch),
      signal: task.signal,
      timeoutMs: task.timeoutMs,
      // A task can print its token; the log must not contain it.
      onLine: (stream, line) => task.onLine(stream, line.replaceAll(task.token, '***')),
    },
  );
  return stoppedResult(task, result) ?? readResult(task, output, result.exitCode!);
}

/** Returns the result of a task that was stopped or killed; null if it exited by itself and its own result counts. */
function stoppedResult(task: PythonTask, result: LimitedResult): PythonTaskResult | null {
  const seconds = Math.round((task.timeoutMs ?? 0) / 1000);
  if (result.outcome === 'aborted') return failed('cancelled', `the task ${task.asset} was cancelled`, null, true);
  if (result.outcome === 'timeout') {
    const remedy = 'make it faster, or raise timeout_seconds of the job or under defaults in svc.yaml';
    return failed('task-timeout', `the task ${task.asset} timed out after ${seconds} seconds`, remedy);
  }
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

/** Creates the working folder of a task: it contains links to the project's files, and the task's own output. */
async function workingFolder({ projectDir, workDir }: PythonTask): Promise<string> {
  const folder = join(workDir, 'working');
  await mkdir(folder);
  for (const name of await readdir(projectDir)) await symlink(join(projectDir, name), join(folder, name));
  return folder;
}

/** A task can write only to its own folder. What it shares with other tasks is read-only. */
function pathsOf(task: PythonTask): SandboxPaths {
  const { SSL_CERT_FILE, SSL_CERT_DIR } = task.inheritedEnv ?? {};
  const certificates = [SSL_CERT_FILE, SSL_CERT_DIR].filter((path) => path !== undefined);
  return {
    interpreters: [task.python],
    readable: [dirname(dirname(task.python)), task.support, task.projectDir, ...certificates],
    writable: [task.workDir],
    temporary: temporaryOf(task),
  };
}

/** Inside the task's own folder, so that the disk limit covers them and they use no memory. */
const temporaryOf = ({ workDir }: PythonTask) => ({ files: join(workDir, 'tmp'), memory: join(workDir, 'shm') });

function taskFile(task: PythonTask, output: string, scratch: string): Record<string, unknown> {
  return {
    project: task.projectDir,
    file: task.file,
    function: task.function,
    asset: task.asset,
    kind: task.kind,
    run_id: task.runId,
    environment: task.environment,
    output,
    scratch,
    watermark: task.watermark?.text ?? null,
    watermark_type: task.watermark?.type ?? null,
  };
}

function taskEnvironment(task: PythonTask, scratch: string): Record<string, string> {
  const bin = dirname(task.python);
  return {
    ...task.inheritedEnv,
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    VIRTUAL_ENV: dirname(bin),
    HOME: scratch,
    TMPDIR: scratch,
    LANG: 'C.UTF-8',
    SVC_URL: task.url,
    SVC_TOKEN: task.token,
    SVC_ENV: task.environment,
    ...(task.traceparent == null ? {} : { TRACEPARENT: task.traceparent }),
  };
}
