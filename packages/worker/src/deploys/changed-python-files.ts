import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFiles } from './find-files.ts';

/** The Python files that one of the folders lacks, or whose contents differ, sorted. */
export async function changedPythonFiles(before: string, after: string): Promise<string[]> {
  const [old, current] = await Promise.all([before, after].map((dir) => findFiles(dir, '', '.py')));
  const changed: string[] = [];
  for (const file of [...new Set([...old!, ...current!])].sort()) {
    const [a, b] = await Promise.all([before, after].map((dir) => readFile(join(dir, file)).catch(() => null)));
    if (a === null || b === null || !a!.equals(b!)) changed.push(file);
  }
  return changed;
}
