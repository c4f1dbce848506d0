import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import {
  ASSET_FOLDER,
  type Asset,
  type AssetGraph,
  buildGraph,
  checkJobs,
  MANIFEST_FILE,
  type Manifest,
  type ProjectDiagnostic,
  parseManifest,
  parsePythonAssets,
  parseSqlAsset,
  SEED_FOLDER,
} from '@svc/core/deploys';
import type { OuterConfiguration } from '@svc/core/package-indexes';
import { statementFault } from '@svc/core/queries';
import type { Sandbox } from '@svc/lake/queries';
import { type Isolation, runIsolated } from '../isolation/index.ts';
import { type PythonTool, pythonArguments } from '../python/python-tool.ts';
import { findFiles, findMiscased } from './find-files.ts';
import { type AssetInFile, type AssetStatement, readAssetSql } from './read-asset-sql.ts';
import { readSeeds } from './read-seeds.ts';
import { MAX_TEXT_BYTES, readText } from './read-text.ts';

/** The project's files that the lock rules check. */
export interface LockFiles {
  readonly lockText: string | null;
  readonly pyprojectText: string | null;
  readonly uvTomlText: string | null;
  /** The folders around the project in its repository, nearest first. */
  readonly outer: readonly OuterConfiguration[];
  /** Names of the files directly in `wheelhouse`. */
  readonly wheelhouse: readonly string[];
}

/** Everything a deploy needs from a project's files. */
export interface ReadProject {
  readonly manifest: Manifest | null;
  readonly assets: readonly Asset[];
  /** Null if there is any problem with the assets. */
  readonly graph: AssetGraph | null;
  /** The SQL of the assets and their checks. */
  readonly statements: readonly AssetStatement[];
  readonly usesPython: boolean;
  readonly lock: LockFiles;
  /** All problems, by file and line. Any problem fails the deploy. */
  readonly problems: readonly ProjectDiagnostic[];
}

export interface ReadOptions {
  /** Null if the worker has no Python. A project with Python assets then fails with the reason. */
  readonly python: PythonTool | null;
  /** Reading doesn't run the files, but the reader is isolated all the same; if absent, it isn't. */
  readonly isolation?: Isolation;
  /** Parses the SQL, and reads seeds. */
  readonly sandbox: Sandbox;
  /** The principal whose queries the processes that read seeds may serve, too. */
  readonly owner: string;
  /** The folder of the repository's files; if absent, the project is all there is. */
  readonly top?: string | undefined;
  /** Maximum size of each statement. */
  readonly maxStatementBytes: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_TOML_BYTES = 256 * 1024;
const MAX_LOCK_BYTES = 16 * 1024 * 1024;
const READER_TIMEOUT_MS = 60_000;

/** Reads a project folder: manifest, SQL and Python assets, seeds, their graph, the jobs' selections and the lock files. */
export async function readProject(dir: string, options: ReadOptions): Promise<ReadProject> {
  const problems: ProjectDiagnostic[] = [];
  const manifest = await readManifest(dir, problems);
  const sql = await readSqlAssets(dir, options, problems);
  const python = await readPythonAssets(dir, options, problems);
  const seeds = await readSeeds(dir, options, problems);
  problems.push(...(await miscasedFiles(dir)));
  const found = [...sql, ...[...python, ...seeds].map((asset) => ({ asset, sqlStart: null }))];
  const short = found.filter(({ asset }) => checkLengths(asset, options.maxStatementBytes, problems));
  const read = await readAssetSql(dir, short, options);
  problems.push(...read.problems);
  const { assets, statements } = read;
  const hasProblems = problems.some((problem) => problem.file !== MANIFEST_FILE);
  const built = buildGraph(assets);
  problems.push(...built.problems);
  const graph = hasProblems ? null : built.graph;
  // If an asset can't be read, a selection may not match it. Only the asset's own problem is reported then.
  if (manifest !== null && graph !== null) problems.push(...checkJobs(manifest, graph));
  const lock = await readLockFiles(dir, problems, options.top);
  const usesPython = python.length > 0;
  if (usesPython) problems.push(...missingLock(lock));
  problems.sort((a, b) => (a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1));
  return { manifest, assets, graph, statements, usesPython, lock, problems };
}

async function readManifest(dir: string, problems: ProjectDiagnostic[]): Promise<Manifest | null> {
  const text = await readText(dir, MANIFEST_FILE, MAX_TEXT_BYTES, problems);
  if (text === null) {
    if (!problems.some((problem) => problem.file === MANIFEST_FILE)) {
      const remedy = "add svc.yaml at the root of the project, or set the project's folder on the repository";
      problems.push({ file: MANIFEST_FILE, line: null, message: 'the project has no manifest', remedy });
    }
    return null;
  }
  const read = parseManifest(text);
  problems.push(...read.problems);
  return read.manifest;
}

async function readSqlAssets(dir: string, options: ReadOptions, problems: ProjectDiagnostic[]): Promise<AssetInFile[]> {
  const assets: AssetInFile[] = [];
  for (const file of await findFiles(dir, ASSET_FOLDER, '.sql')) {
    options.signal?.throwIfAborted();
    const text = await readText(dir, file, MAX_TEXT_BYTES, problems);
    if (text === null) continue;
    const { asset, problems: found, sqlStart } = parseSqlAsset(text, file);
    problems.push(...found);
    if (asset !== null) assets.push({ asset, sqlStart });
  }
  return assets;
}

/** Files that look like assets or seeds and would be ignored. */
async function miscasedFiles(dir: string): Promise<ProjectDiagnostic[]> {
  const assets = await findMiscased(dir, ASSET_FOLDER, ['.sql', '.py']);
  const seeds = await findMiscased(dir, SEED_FOLDER, ['.csv', '.yaml']);
  return [...assets, ...seeds].map((file) => {
    const ending = extname(file);
    const remedy = `rename it to ${file.slice(0, -ending.length)}${ending.toLowerCase()}`;
    return { file, line: null, message: `the ending ${ending} must be in lower case`, remedy };
  });
}

/** Returns whether every statement of an asset is short enough to parse. The others are reported as problems. */
function checkLengths(
  { name, file, line, source, checks }: Asset,
  max: number,
  problems: ProjectDiagnostic[],
): boolean {
  const statements = checks.map((check) => ({ what: `check ${JSON.stringify(check.name)}`, sql: check.sql }));
  if (source.language === 'sql') statements.push({ what: 'the SQL', sql: source.sql });
  const faults = statements.flatMap(({ what, sql }) => {
    const error = statementFault(sql, max);
    return error === null ? [] : [`asset ${name}: ${what} ${error}`];
  });
  const remedy = 'shorten it: load long lists of values into a table and join it';
  problems.push(...faults.map((message) => ({ file, line, message, remedy })));
  return faults.length === 0;
}

async function readPythonAssets(
  dir: string,
  options: ReadOptions,
  problems: ProjectDiagnostic[],
): Promise<readonly Asset[]> {
  const files = await findFiles(dir, '', '.py');
  const marked: string[] = [];
  for (const file of files) {
    const text = await readFile(join(dir, file), 'utf8');
    if (/\bsvc\b/.test(text)) marked.push(file);
  }
  if (marked.length === 0) return [];
  if (options.python === null) {
    const remedy = 'install Python 3.10 or newer where the worker runs';
    problems.push({
      file: marked[0]!,
      line: null,
      message: 'the worker has no Python to read Python assets',
      remedy,
    });
    return [];
  }
  const { command, support } = options.python;
  const sandboxPaths = { interpreters: [command], readable: [support, dir], writable: [], runsAsWorker: true };
  const result = await runIsolated(options.isolation ?? { kind: 'none' }, sandboxPaths, {
    command,
    args: pythonArguments(options.python, 'svc._assets', [dir]),
    cwd: dir,
    env: { LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' },
    signal: options.signal,
    timeoutMs: READER_TIMEOUT_MS,
    maxOutputBytes: 64 * 1024 * 1024,
  });
  options.signal?.throwIfAborted();
  if (result.exitCode !== 0) {
    const reason = result.outcome === 'timeout' ? 'it took too long' : (result.stderr.trim().split('\n').at(-1) ?? '');
    const message = `the Python files couldn't be read: ${reason}`;
    problems.push({ file: marked[0]!, line: null, message, remedy: "check the worker's Python" });
    return [];
  }
  const read = parsePythonAssets(JSON.parse(result.stdout));
  problems.push(...read.problems);
  return read.assets;
}

/**
 * Reads the files that the lock rules check, without checking them.
 *
 * @param top the folder of the repository's files, which contains the project's
 */
export async function readLockFiles(dir: string, problems: ProjectDiagnostic[], top = dir): Promise<LockFiles> {
  const wheelhouse = await readdir(join(dir, 'wheelhouse'), { withFileTypes: true }).catch(() => []);
  const pyprojectText = await readText(dir, 'pyproject.toml', MAX_TOML_BYTES, problems);
  return {
    lockText: await readText(dir, 'uv.lock', MAX_LOCK_BYTES, problems),
    pyprojectText,
    uvTomlText: await readText(dir, 'uv.toml', MAX_TOML_BYTES, problems),
    outer: pyprojectText === null ? [] : await readOuterConfigurations(dir, top, problems),
    wheelhouse: wheelhouse.filter((entry) => entry.isFile()).map((entry) => entry.name),
  };
}

async function readOuterConfigurations(
  dir: string,
  top: string,
  problems: ProjectDiagnostic[],
): Promise<OuterConfiguration[]> {
  const outer: OuterConfiguration[] = [];
  const depth = relative(top, dir).split(sep).filter(Boolean).length;
  for (let i = 1; i <= depth; i++) {
    const folder = Array(i).fill('..').join('/');
    const read = (file: string) => readText(dir, `${folder}/${file}`, MAX_TOML_BYTES, problems);
    outer.push({ folder, pyprojectText: await read('pyproject.toml'), uvTomlText: await read('uv.toml') });
  }
  return outer;
}

function missingLock(lock: LockFiles): ProjectDiagnostic[] {
  const missing: ProjectDiagnostic[] = [];
  const report = (file: string, remedy: string): void => {
    missing.push({ file, line: null, message: `the project has Python assets, but no ${file}`, remedy });
  };
  if (lock.pyprojectText === null)
    report('pyproject.toml', 'add one with the name, version and dependencies of the project');
  if (lock.lockText === null) report('uv.lock', 'run uv lock in the project and commit uv.lock');
  return missing;
}
