// Stamps in node_modules/.cache/svc record that a step was done for inputs with a fingerprint.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const cache = join(root, 'node_modules/.cache/svc');

/** Whether the step was last done for this fingerprint. */
export function isStamped(step, fingerprint) {
  return readOr(join(cache, `${step}.stamp`), '') === fingerprint;
}

/** Records that the step was done for this fingerprint. */
export function stamp(step, fingerprint) {
  const file = join(cache, `${step}.stamp`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, fingerprint);
}

/** Fingerprint of the contents of files. */
export function contentsOf(files, ...more) {
  const hash = createHash('sha256').update(more.join('\0'));
  for (const file of files) hash.update(`\0${file}\0`).update(readOr(join(root, file), ''));
  return hash.digest('hex');
}

/** Fingerprint of sizes and times of files: reading a thousand sources would take too long at every start. */
export function timesOf(files, ...more) {
  const hash = createHash('sha256').update(more.join('\0'));
  for (const file of files) {
    const stats = statSync(join(root, file), { throwIfNoEntry: false });
    hash.update(`\0${file}:${stats?.size}:${stats?.mtimeMs}`);
  }
  return hash.digest('hex');
}

/** The package folders of the workspace, relative to the root. */
export function packageFolders() {
  const below = (folder) => listOr(join(root, folder)).map((name) => `${folder}/${name}`);
  return [...below('packages'), ...below('apps'), 'bench'].filter((folder) =>
    statSync(join(root, folder, 'package.json'), { throwIfNoEntry: false }),
  );
}

/** Every file below a folder, relative to the root, in a fixed order. */
export function filesBelow(folder) {
  const found = [];
  for (const entry of listOr(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) found.push(...filesBelow(path));
    else found.push(path);
  }
  return found.sort();
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

function listOr(folder, options) {
  try {
    return readdirSync(folder, options);
  } catch {
    return [];
  }
}
