import { parse, TomlError } from 'smol-toml';
import { readPlainToml } from './plain-toml.ts';

export const LOCK_FILE = 'uv.lock';
/** The folder of wheels at the root of a project. */
export const WHEELHOUSE = 'wheelhouse';

/** A problem in the lock or the project's configuration, in the shape of every project problem. */
export interface LockFailure {
  readonly file: string;
  readonly line: number | null;
  readonly message: string;
  readonly remedy: string | null;
}

export const SOURCE_KINDS = ['registry', 'git', 'url', 'path', 'directory', 'editable', 'virtual'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export interface LockSource {
  readonly kind: SourceKind;
  readonly value: string;
}

/** One file of a package: a remote file has a URL, a file in a folder has a path. */
export interface LockFile {
  readonly kind: 'wheel' | 'sdist';
  readonly url: string | null;
  readonly path: string | null;
  readonly hash: string | null;
}

export interface LockPackage {
  readonly name: string;
  readonly version: string | null;
  readonly line: () => number | null;
  readonly source: LockSource;
  readonly files: readonly LockFile[];
  /** Sources that its dependency entries name, with the dependency's name. */
  readonly dependencySources: readonly { readonly name: string; readonly source: LockSource }[];
}

type Table = Readonly<Record<string, unknown>>;

/**
 * Maximum nesting of lists and inline tables. The parser is recursive, and no real lock or configuration comes close.
 */
const MAX_DEPTH = 100;
/** Maximum size for the full TOML parser, which is many times slower than the one for uv's own format. */
const MAX_CHARACTERS = 1024 * 1024;

/** Parses TOML; a syntax error becomes a problem with its line. */
export function readToml(text: string, file: string, problems: LockFailure[]): Table | null {
  try {
    const plain = readPlainToml(text);
    if (plain !== null) return plain;
    if (text.length > MAX_CHARACTERS) {
      const message = `has more than ${MAX_CHARACTERS} characters and is not written as uv writes it`;
      problems.push({ file, line: null, message, remedy: 'run uv lock, or make the file shorter' });
      return null;
    }
    return parse(text, { maxDepth: MAX_DEPTH }) as Table;
  } catch (error) {
    const line = error instanceof TomlError ? error.line : null;
    const cause = (error as Error).message.split('\n')[0]!;
    problems.push({ file, line, message: `not valid TOML: ${cause}`, remedy: 'correct the file' });
    return null;
  }
}

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

export function tables(value: unknown): Table[] {
  return Array.isArray(value) ? value.filter(isTable) : [];
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * Parses the packages of a `uv.lock`. A version other than 1, a package without exactly one source, and unexpected
 * shapes are problems, because what can't be parsed can't be validated. Any revision is accepted.
 */
export function readLock(lockText: string, file: string): { packages: LockPackage[]; problems: LockFailure[] } {
  const problems: LockFailure[] = [];
  const lock = readToml(lockText, file, problems);
  if (lock === null) return { packages: [], problems };
  if (lock['version'] !== 1) {
    const message = `the lock has version ${JSON.stringify(lock['version'] ?? null)}, and only version 1 can be read`;
    return { packages: [], problems: [{ file, line: null, message, remedy: 'lock again with a current uv' }] };
  }
  const packages: LockPackage[] = [];
  // The installer also reads the older name of the table, so it is validated too.
  for (const key of ['package', 'distribution']) {
    const listed = lock[key];
    if (listed === undefined) continue;
    if (!Array.isArray(listed) || !listed.every(isTable)) {
      problems.push({ file, line: null, message: `${key} is not a list of tables`, remedy: 'lock again with uv lock' });
      continue;
    }
    const lineOf = headerLines(lockText, key, listed.length);
    for (const [i, entry] of listed.entries()) {
      const found = readPackage(entry, () => lineOf(i), file, problems);
      if (found !== null) packages.push(found);
    }
  }
  return { packages, problems };
}

/** The lines of the list's tables, computed when a problem first needs one. */
function headerLines(lockText: string, key: string, count: number): (i: number) => number | null {
  // bounded: the key is a constant, and matching stops at the first character that differs.
  const header = new RegExp(`^\\s*\\[\\[\\s*${key}\\s*\\]\\]`);
  let lines: number[] | undefined;
  return (i) => {
    lines ??= lockText.split('\n').flatMap((line, at) => (header.test(line) ? [at + 1] : []));
    return lines.length === count ? lines[i]! : null;
  };
}

function readPackage(
  entry: Table,
  line: () => number | null,
  file: string,
  problems: LockFailure[],
): LockPackage | null {
  const name = text(entry['name']);
  const reject = (message: string): null => {
    problems.push({ file, line: line(), message, remedy: 'lock again with uv lock' });
    return null;
  };
  if (name === null) return reject('a package has no name');
  const source = readSource(entry['source']);
  if (typeof source === 'string') return reject(`the package ${name} ${source}`);
  const sdist = entry['sdist'];
  const wheels = entry['wheels'] ?? entry['wheel'] ?? [];
  if (!Array.isArray(wheels)) return reject(`the wheels of the package ${name} are not a list`);
  const files: LockFile[] = [];
  for (const [kind, listed] of [
    ['sdist', sdist === undefined ? [] : [sdist]],
    ['wheel', wheels],
  ] as const) {
    for (const value of listed) {
      if (!isTable(value)) return reject(`a file of the package ${name} is not a table`);
      files.push({ kind, url: text(value['url']), path: text(value['path']), hash: text(value['hash']) });
    }
  }
  const dependencySources = readDependencies(entry, name, reject);
  if (dependencySources === null) return null;
  return { name, version: text(entry['version']), line, source, files, dependencySources };
}

function readSource(value: unknown): LockSource | string {
  if (!isTable(value)) return 'has no source';
  const kinds = SOURCE_KINDS.filter((kind) => value[kind] !== undefined);
  if (kinds.length !== 1) return kinds.length === 0 ? 'has no known source' : `has two sources: ${kinds.join(', ')}`;
  const unknown = Object.keys(value).find((key) => key !== kinds[0] && key !== 'subdirectory');
  if (unknown !== undefined) return `has a source with the unknown key ${JSON.stringify(unknown)}`;
  const found = text(value[kinds[0]!]);
  return found === null ? `has a ${kinds[0]} that is not a string` : { kind: kinds[0]!, value: found };
}

function readDependencies(
  entry: Table,
  name: string,
  reject: (message: string) => null,
): { name: string; source: LockSource }[] | null {
  const lists: unknown[] = [entry['dependencies']];
  for (const key of ['optional-dependencies', 'dev-dependencies', 'dependency-groups']) {
    const groups = entry[key];
    if (isTable(groups)) lists.push(...Object.values(groups));
  }
  const found: { name: string; source: LockSource }[] = [];
  for (const list of lists) {
    if (!Array.isArray(list)) continue;
    for (const dependency of list) {
      if (!isTable(dependency) || dependency['source'] === undefined) continue;
      const dependencyName = text(dependency['name']) ?? '(unnamed)';
      const source = readSource(dependency['source']);
      if (typeof source === 'string') return reject(`the dependency ${dependencyName} of ${name} ${source}`);
      found.push({ name: dependencyName, source });
    }
  }
  return found;
}
