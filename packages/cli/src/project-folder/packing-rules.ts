import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** Files with patterns, which have the same syntax. In one folder, the later one takes precedence. */
const IGNORE_FILES = ['.gitignore', '.svcignore'];

/** The patterns of a folder's files, and how paths of the project translate to paths relative to that file. */
interface Patterns {
  readonly matcher: Ignore;
  /** Path of the patterns' folder below the project, with its slash; empty for the project and folders around it. */
  readonly base: string;
  /** Path of the project below the patterns' folder, with its slash; empty for the project and folders below it. */
  readonly prefix: string;
}

/** Patterns that exclude files from a project, outermost folder first. */
export type PackingRules = readonly Patterns[];

/** The patterns of the folders of the repository around a project, except those that ignore the whole project. */
export async function readOuterRules(folder: string): Promise<PackingRules> {
  const project = resolve(folder);
  const root = await repositoryRoot(project);
  const rules: Patterns[] = [];
  for (let dir = dirname(project); root !== null && project !== root && dir.length >= root.length; dir = dirname(dir)) {
    rules.unshift(...(await readFolder(dir, '', below(dir, project))));
    if (dir === root) break;
  }
  if (root !== null)
    rules.unshift(...(await readPatterns([join(root, '.git/info/exclude')], '', below(root, project))));
  return rules.filter(({ matcher, prefix }) => prefix === '' || !matcher.ignores(prefix));
}

/** Adds the rules of a folder of the project. */
export async function addFolderRules(rules: PackingRules, folder: string, path: string): Promise<PackingRules> {
  return [...rules, ...(await readFolder(join(folder, path), path === '' ? '' : `${path}/`, ''))];
}

/** Whether a path of the project is ignored (folders end with a slash). The innermost folder with a matching pattern decides. */
export function isIgnored(rules: PackingRules, path: string): boolean {
  for (const { matcher, base, prefix } of rules.toReversed()) {
    const { ignored, unignored } = matcher.test(prefix + path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

const readFolder = (folder: string, base: string, prefix: string): Promise<Patterns[]> =>
  readPatterns(
    IGNORE_FILES.map((file) => join(folder, file)),
    base,
    prefix,
  );

/** The patterns of the files as if they were one, so a later one can include what an earlier one excludes. */
async function readPatterns(files: readonly string[], base: string, prefix: string): Promise<Patterns[]> {
  const read = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => null)));
  const texts = read.filter((text) => text !== null);
  return texts.length === 0 ? [] : [{ matcher: ignore({ ignorecase: false }).add(texts.join('\n')), base, prefix }];
}

const below = (dir: string, project: string): string =>
  dir === project ? '' : `${relative(dir, project).split(sep).join('/')}/`;

/** The folder that contains `.git`, which is a file in a linked worktree. */
async function repositoryRoot(project: string): Promise<string | null> {
  for (let dir = project; ; dir = dirname(dir)) {
    if ((await stat(join(dir, '.git')).catch(() => null)) !== null) return dir;
    if (dir === dirname(dir)) return null;
  }
}
