// Copies the built console into @svc/api before it is packed: outside the workspace, /console is served from there.
import { cpSync, rmSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const copy = new URL('packages/api/console/', root);
rmSync(copy, { recursive: true, force: true });
cpSync(new URL('packages/console/dist/', root), copy, { recursive: true });
