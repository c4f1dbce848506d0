// Pins the images that others publish to their current digests, in the Dockerfile and the Compose files; a pinned one gets the current digest
// of its tag. Needs skopeo and access to their registries. `node scripts/images/pin-images.mjs`
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap/stamp.mjs';
import { PINNED_FILES, withDigests } from './digests.mjs';

const digests = new Map();

/** Of the list of images for all platforms, if there is one. */
function digestOf(image) {
  if (!digests.has(image)) {
    const manifest = execFileSync('skopeo', ['inspect', '--raw', `docker://${image}`]);
    digests.set(image, `sha256:${createHash('sha256').update(manifest).digest('hex')}`);
  }
  return digests.get(image);
}

for (const file of PINNED_FILES) {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  const pinned = withDigests(text, digestOf);
  if (pinned !== text) writeFileSync(path, pinned);
  console.log(`${file}: ${pinned === text ? 'unchanged' : 'pinned'}`);
}
