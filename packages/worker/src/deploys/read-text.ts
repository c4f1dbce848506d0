import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectDiagnostic } from '@svc/core/deploys';

export const MAX_TEXT_BYTES = 1024 * 1024;

/** Reads a UTF-8 text; null if the file doesn't exist. A link, a file that is too large or not text is a problem. */
export async function readText(
  dir: string,
  file: string,
  limit: number,
  problems: ProjectDiagnostic[],
): Promise<string | null> {
  const path = join(dir, file);
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return null;
  const report = (message: string, remedy: string): null => {
    problems.push({ file, line: null, message, remedy });
    return null;
  };
  if (!stats.isFile()) return report("it isn't a regular file", 'replace it with a file');
  if (stats.size > limit) return report(`it has ${stats.size} bytes, more than ${limit}`, 'make it smaller');
  const text = utf8(await readFile(path));
  if (text === null) return report("it isn't valid UTF-8", 'save it as UTF-8');
  return text.includes('\0') ? report('it contains a NUL character', 'remove the character') : text;
}

/** The text of these bytes; null if they aren't UTF-8. */
export function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
