import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, parse, sep } from 'node:path';
import { usageError } from '../cli-error.ts';

/** Whether an argument is a URL that the service reads itself. */
export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** The files that arguments name, each once: a URL, a path, or a pattern with `*`, `?` or `**` that the shell didn't expand. */
export async function inputFiles(args: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const arg of args) {
    const found =
      arg !== '-' && !isUrl(arg) && isPattern(arg) && (await stat(arg).catch(() => null)) === null
        ? await matching(arg)
        : [arg];
    if (found.length === 0) throw usageError(`No file matches ${arg}.`);
    files.push(...found);
  }
  const unique = [...new Set(files)];
  if (unique.length > 1 && unique.includes('-')) throw usageError("Standard input can't be combined with files.");
  if (unique.length > 1 && unique.some(isUrl)) throw usageError("A URL can't be combined with files. Load it alone.");
  return unique;
}

const isPattern = (text: string): boolean => /[*?]/.test(text);

/** The files that match a pattern, sorted. */
async function matching(pattern: string): Promise<string[]> {
  const { root } = parse(pattern);
  const found = await matchingBelow(root, pattern.slice(root.length).split(sep).filter(Boolean));
  return found.sort();
}

async function matchingBelow(folder: string, [first, ...rest]: readonly string[]): Promise<string[]> {
  if (first === undefined) return [];
  if (!isPattern(first)) {
    const path = join(folder, first);
    if (rest.length > 0) return matchingBelow(path, rest);
    return (await stat(path).catch(() => null))?.isFile() ? [path] : [];
  }
  const entries = await readdir(folder === '' ? '.' : folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = first === '**' ? await matchingBelow(folder, rest) : [];
  for (const entry of entries) {
    if (!matches(first, entry.name)) continue;
    const path = join(folder, entry.name);
    if (first === '**') {
      if (entry.isDirectory()) found.push(...(await matchingBelow(path, [first, ...rest])));
    } else if (rest.length > 0) found.push(...(await matchingBelow(path, rest)));
    else if ((await stat(path).catch(() => null))?.isFile()) found.push(path);
  }
  return found;
}

/** Whether a name matches, in linear steps for each `*`. Hidden files match only a pattern that starts with a dot. */
export function matches(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  let [p, n, star, from] = [0, 0, -1, 0];
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p++;
      from = n;
    } else if (pattern[p] === '?' || pattern[p] === name[n]) {
      p += 1;
      n += 1;
    } else if (star !== -1) {
      p = star + 1;
      n = ++from;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

/** A path next to a file that doesn't exist yet: `orders.csv.rejected`, or with a number. */
export async function freePath(path: string): Promise<string> {
  const taken = new Set(await readdir(dirname(path)).catch(() => []));
  let free = path;
  for (let number = 2; taken.has(basename(free)); number++) free = `${path}-${number}`;
  return free;
}
