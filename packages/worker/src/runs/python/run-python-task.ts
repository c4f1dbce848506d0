import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Isolation, type Room, runInRoom } from '../../isolation/index.ts';
import { pythonArguments } from './python-tool.ts';

export interface PythonTask {
  readonly isolation: Isolation;
  /** Interpreter of the project's environment. */
  readonly python: string;
  /** Folder with the module `svc` ({@link prepareSupport}). */
  readonly support: string;
  readonly projectDir: string;
  readonly asset: string;
  readonly kind: 'table' | 'artifact';
  readonly file: string;
  readonly function: string;
  readonly runId: string;
  readonly environment: string;
  /** Address of this service and the token the worker minted for this task. */
  readonly url: string;
  readonly token: string;
  /** Largest value of the watermark column so far, for an append asset, and that column's type. */
  readonly watermark?: Watermark | null;
  /** An empty folder for this task; the caller removes it after loading the result. */
  readonly workDir: string;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onLine: (stream: 'stdout' | 'stderr', line: string) => void;
  /** Certificates, for a service behind a private authority. */
  readonly passThrough?: Readonly<Record<string, string>>;
  /** The trace that the task goes on with (W3C Trace Context). */
  readonly traceparent?: string | null;
}

export interface Watermark {
  readonly text: string;
  /** Null where the table has no such column any more. */
  readonly type: string | null;
}

export type PythonTaskResult =
  | {
      readonly status: 'succeeded';
      readonly kind: 'table';
      /** Absolute path of the rows. */
      readonly file: string;
      readonly format: 'parquet' | 'ndjson';
      readonly rows: number;
      /** Types by column for rows written as NDJSON; null where the file itself tells. */
      readonly columns: readonly { readonly name: string; readonly type: string }[] | null;
    }
  | {
      readonly status: 'succeeded';
      readonly kind: 'artifact';
      readonly file: string;
      /** Name the function gave the file: a plain name without folders. */
      readonly name: string;
      readonly bytes: number;
    }
  | {
      readonly status: 'failed' | 'cancelled';
      readonly failure: { readonly code: string; readonly detail: string; readonly remedy: string | null };
    };

const resultSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('failed'), error: z.object({ type: z.string(), detail: z.string() }) }),
  z.object({
    status: z.literal('succeeded'),
    kind: z.enum(['table', 'artifact']),
    file: z.enum(['data.parquet', 'data.ndjson', 'artifact.bin']),
    format: z.enum(['parquet', 'ndjson']).optional(),
    rows: z.int().min(0).optional(),
    columns: z
      .array(z.object({ name: z.string(), type: z.string() }))
      .nullable()
      .optional(),
    name: z.string().optional(),
    bytes: z.int().min(0).optional(),
  }),
]);

const MAX_RESULT_BYTES = 8 * 1024 * 1024;

function failed(code: string, detail: string, remedy: string | null, cancelled = false): PythonTaskResult {
  return { status: cancelled ? 'cancelled' : 'failed', failure: { code, detail, remedy } };
}

/**
 * Runs one Python asset in its project's environment, in a process group of its own, and tells what it wrote. The task
 * sees the token, the service's address and nothing else of the worker's environment. How it fails is an answer.
 */
export async function runPythonTask(task: PythonTask): Promise<PythonTaskResult> {
  const output = join(task.workDir, 'output');
  const scratch = join(task.workDir, 'scratch');
  await mkdir(output, { recursive: true });
  await mkdir(scratch, { recursive: true });
  const request = join(task.workDir, 'task.json');
  await writeFile(request, JSON.stringify(taskFile(task, output, scratch)), { mode: 0o600 });
  const result = await runInRoom(task.isolation, roomOf(task), {
    command: task.python,
    args: ['-u', ...pythonArguments({ command: task.python, support: task.support }, 'svc._runner', [request])],
    cwd: await workingFolder(task),
    env: taskEnvironment(task, scratch),
    signal: task.signal,
    timeoutMs: task.timeoutMs,
    // A task can print its token; the log must not keep it.
    onLine: (stream, line) => task.onLine(stream, line.replaceAll(task.token, '***')),
  });
  const seconds = Math.round((task.timeoutMs ?? 0) / 1000);
  if (result.ended === 'aborted') return failed('cancelled', `the task ${task.asset} was cancelled`, null, true);
  if (result.ended === 'timeout') {
    const remedy = 'make it faster, or raise timeout_seconds of the job or under defaults in svc.yaml';
    return failed('task-timeout', `the task ${task.asset} was ended after ${seconds} seconds`, remedy);
  }
  if (result.ended === 'not-started') {
    return failed(
      'environment-missing',
      `the Python of the environment could not be started: ${result.stderr}`,
      'run it again',
    );
  }
  if (result.exitCode === null) {
    const signal = result.signal ?? 'a signal';
    return failed('task-killed', `the task ${task.asset} was ended by ${signal}`, 'it may have used up the memory');
  }
  return readResult(task, output, result.exitCode);
}

/** The folder that a task begins in: the project's files are there, by links, and what it writes is its own. */
async function workingFolder({ projectDir, workDir }: PythonTask): Promise<string> {
  const folder = join(workDir, 'working');
  await mkdir(folder);
  for (const name of await readdir(projectDir)) await symlink(join(projectDir, name), join(folder, name));
  return folder;
}

/** A task writes its own folder alone; what it shares with other tasks it reads. */
function roomOf(task: PythonTask): Room {
  const { SSL_CERT_FILE, SSL_CERT_DIR } = task.passThrough ?? {};
  const certificates = [SSL_CERT_FILE, SSL_CERT_DIR].filter((path) => path !== undefined);
  return {
    interpreters: [task.python],
    readable: [dirname(dirname(task.python)), task.support, task.projectDir, ...certificates],
    writable: [task.workDir],
  };
}

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
    ...task.passThrough,
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

/** Project code shares the output folder, so what stands there is checked and not believed. */
async function readResult(task: PythonTask, output: string, exitCode: number): Promise<PythonTaskResult> {
  const unreadable = (): PythonTaskResult =>
    failed('task-failed', `the task ${task.asset} ended with code ${exitCode} and left no result`, 'see its log');
  // A link in the folder's place would lead to files of others.
  if (!(await lstat(output).catch(() => null))?.isDirectory()) return unreadable();
  const path = join(output, 'result.json');
  const stats = await lstat(path).catch(() => null);
  if (!stats?.isFile() || stats.size > MAX_RESULT_BYTES) return unreadable();
  let json: unknown;
  try {
    json = JSON.parse((await readFile(path, 'utf8')).replaceAll(task.token, '***'));
  } catch {
    return unreadable();
  }
  const parsed = resultSchema.safeParse(json);
  if (!parsed.success) return unreadable();
  const result = parsed.data;
  if (result.status === 'failed') return failed('task-failed', result.error.detail, 'see the log of the task');
  const file = join(output, result.file);
  const written = await lstat(file).catch(() => null);
  if (exitCode !== 0 || result.kind !== task.kind || !written?.isFile()) return unreadable();
  if (result.kind === 'artifact') {
    const name = /^[^/\\\p{Cc}]{1,255}$/u.test(result.name ?? '') ? result.name! : task.asset;
    return { status: 'succeeded', kind: 'artifact', file, name, bytes: written.size };
  }
  if (result.format === undefined || result.rows === undefined) return unreadable();
  const { format, rows, columns } = result;
  return { status: 'succeeded', kind: 'table', file, format, rows, columns: columns ?? null };
}
