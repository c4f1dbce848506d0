// Builds the three images with a container engine, and tries them as users run them: read-only, without root and capabilities. Needs
// Linux and root. `node --import ./scripts/typescript.mjs --conditions=@svc/source scripts/containers/try-containers.mjs [standalone] [upgrade] [several] [compose] [attacks]`
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryAttacks } from './attacks.mjs';
import { ensureBaseImages } from './base-image.mjs';
import { tryCompose } from './compose.mjs';
import { findEngine } from './engine.mjs';
import { buildImages } from './images.mjs';
import { trySeveral } from './several.mjs';
import { tryStandalone } from './standalone.mjs';
import { tryUpgrade } from './upgrade.mjs';

const TRIALS = {
  standalone: tryStandalone,
  upgrade: tryUpgrade,
  several: trySeveral,
  compose: tryCompose,
  attacks: tryAttacks,
};

const engine = findEngine();
if (engine === null)
  throw new Error('There is no container engine: install podman or Docker, or set CONTAINER_ENGINE.');
const selected = process.argv.slice(2);
ensureBaseImages(engine);
await buildImages(engine);
const folder = mkdtempSync(join(tmpdir(), 'svc-containers-'));
try {
  for (const name of selected.length === 0 ? Object.keys(TRIALS) : selected) await TRIALS[name](engine, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
