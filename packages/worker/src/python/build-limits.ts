import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { taskLimitText } from '@svc/core/workers';
import type { Isolation, SandboxPaths } from '../isolation/index.ts';
import {
  type Breach,
  type Enforcement,
  type Limited,
  limitSetting,
  type RelayProcess,
  removeFolder,
  runLimited,
} from '../limits/index.ts';
import type { ChildOptions, ChildResult } from '../programs/child-process.ts';
import type { InstalledTool } from '../programs/find-tools.ts';
import { RunError } from '../work/run-error.ts';

/** What the programs of a build may use: memory and processes like a task, and its own limits of what it writes. */
export interface BuildLimits {
  readonly enforcement: Enforcement;
  readonly maxBytes: number | null;
  readonly maxFiles: number | null;
  readonly newId: () => string;
  readonly periodMs: number;
  /** Receives errors of the limits themselves; the build continues. */
  readonly onError: (error: unknown) => void;
}

/** A program of a build and the folder that only this build writes to. */
export interface BuildProgram {
  readonly isolation: Isolation;
  readonly paths: SandboxPaths;
  readonly python: InstalledTool;
  readonly folder: string;
  /** The cache that builds share; what the build adds to it counts too. */
  readonly cache?: string;
  readonly relay?: RelayProcess | null;
}

const UNPACKED = 'SVC_RUN__PACKAGE_UNPACKED_LIMIT';
const FILES = 'SVC_RUN__PACKAGE_FILE_LIMIT';

/**
 * Runs a program of a build within its limits. If it exceeds one, removes what it added to the shared cache, which no other
 * build writes to at the same time. Throws RunError.
 */
export async function runBuild(
  { isolation, paths, python, folder, cache, relay = null }: BuildProgram,
  limits: BuildLimits,
  options: ChildOptions,
): Promise<ChildResult> {
  const before = new Set(cache === undefined ? [] : await cacheEntries(cache));
  const added = async () =>
    cache === undefined ? [] : (await cacheEntries(cache)).filter((entry) => !before.has(entry));
  const result = await runLimited(
    { isolation, paths, limited: limitedBy(limits, { python, folder, relay, added }) },
    options,
  );
  if (result.breach === null) return result;
  for (const entry of await added()) await removeFolder(entry).catch(limits.onError);
  throw buildLimitError(result.breach);
}

function limitedBy(
  { enforcement, maxBytes, maxFiles, newId, periodMs, onError }: BuildLimits,
  program: { python: InstalledTool; folder: string; relay: RelayProcess | null; added: () => Promise<string[]> },
): Limited {
  return {
    // uv opens as many files as it needs.
    enforcement: { ...enforcement, limits: { ...enforcement.limits, open_files: null, disk: maxBytes } },
    id: newId(),
    periodMs,
    onError,
    ...program,
    python: program.python.command,
    ...(maxFiles === null ? {} : { maxFiles }),
  };
}

/** uv unpacks each wheel into its own folder, first with a temporary name. */
async function cacheEntries(cache: string): Promise<string[]> {
  const names = await readdir(cache).catch(() => []);
  const inside = names
    .filter((name) => name.startsWith('archive-'))
    .map(async (name) => (await readdir(join(cache, name)).catch(() => [])).map((one) => join(cache, name, one)));
  const temporary = names.filter((name) => name.startsWith('.tmp')).map((name) => join(cache, name));
  return [...temporary, ...(await Promise.all(inside)).flat()];
}

/** uv's own error when the kernel refuses to let a file grow above the limit. */
const TOO_LARGE = /\(os error 27\)/;

/** The error of uv, if it printed that one file exceeds the limit, or null. */
export function largeFileError({ maxBytes: bound }: BuildLimits, output: readonly string[]): RunError | null {
  if (bound === null || !output.some((line) => TOO_LARGE.test(line))) return null;
  return buildLimitError({ limit: 'disk', bound, measured: null });
}

function buildLimitError(breach: Breach): RunError {
  const { what, bound, setting } = textsOf(breach);
  return new RunError(
    'environment-failed',
    `the Python environment couldn't be built: the build ${what} (limit: ${bound})`,
    `lock fewer or smaller packages, or have the operator of the worker raise ${setting}`,
  );
}

function textsOf({ limit, bound, counts }: Breach): { what: string; bound: string; setting: string } {
  if (counts === 'files') return { what: 'unpacked too many files', bound: `${bound} files`, setting: FILES };
  const text = taskLimitText(limit, bound);
  if (limit === 'disk') return { what: 'unpacked too much', bound: text, setting: UNPACKED };
  return { what: `exceeded its limit of ${limit}`, bound: text, setting: limitSetting(limit) };
}
