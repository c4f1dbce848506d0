import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CodeFile } from '@svc/core/deploys';
import { findFiles } from './find-files.ts';
import { utf8 } from './read-text.ts';

/** Maximum bytes of a file whose text is stored with a version, and of all these texts. */
const MAX_FILE_BYTES = 64 * 1024;
const MAX_BYTES = 1024 * 1024;

/** The Python files of a folder, sorted, with the texts of those that aren't large. */
export async function readCode(dir: string): Promise<CodeFile[]> {
  const code: CodeFile[] = [];
  let stored = 0;
  for (const file of (await findFiles(dir, '', '.py')).sort()) {
    const bytes = await readFile(join(dir, file));
    const fits = bytes.length <= MAX_FILE_BYTES && stored + bytes.length <= MAX_BYTES;
    const text = fits ? utf8(bytes) : null;
    if (text !== null) stored += bytes.length;
    code.push({ file, sha256: createHash('sha256').update(bytes).digest('hex'), text });
  }
  return code;
}
