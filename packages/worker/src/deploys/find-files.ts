import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const SKIPPED = new Set(['__pycache__', 'node_modules', 'wheelhouse', 'venv', 'site-packages']);

/** Finds plain files below a folder by the ending of their names, sorted. Skips links and hidden folders. */
export async function findFiles(dir: string, below: string, ending: string): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(join(dir, below), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && !SKIPPED.has(entry.name)) found.push(...(await findFiles(dir, path, ending)));
    } else if (entry.isFile() && entry.name.endsWith(ending)) found.push(path);
  }
  return found;
}
