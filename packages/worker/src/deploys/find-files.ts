import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const SKIPPED = new Set(['__pycache__', 'node_modules', 'wheelhouse', 'venv', 'site-packages']);

/** Finds plain files below a folder by the ending of their names, sorted. Skips links and hidden folders. */
export const findFiles = (dir: string, below: string, ending: string): Promise<string[]> =>
  findNames(dir, below, (name) => name.endsWith(ending));

/** Finds the files that `findFiles` leaves out because the letter case of their ending differs. */
export const findMiscased = (dir: string, below: string, endings: readonly string[]): Promise<string[]> =>
  findNames(dir, below, (name) =>
    endings.some((ending) => name.toLowerCase().endsWith(ending) && !name.endsWith(ending)),
  );

async function findNames(dir: string, below: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(join(dir, below), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && !SKIPPED.has(entry.name))
        found.push(...(await findNames(dir, path, isWanted)));
    } else if (entry.isFile() && isWanted(entry.name)) found.push(path);
  }
  return found;
}
