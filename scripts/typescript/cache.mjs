// The compiled form of every TypeScript source, by path and content, so that each is compiled once.
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../node_modules/.cache/svc/typescript/', import.meta.url));

/** The files with the code and the source map of a source. */
export function compiledFiles(file, source) {
  const base = folder + createHash('sha256').update(`${file}\0${source}`).digest('hex');
  return { code: `${base}.js`, map: `${base}.js.map` };
}

/** Writes a file at once, because other processes may compile the same source. */
export function saveCompiled(file, text) {
  const unfinished = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}
