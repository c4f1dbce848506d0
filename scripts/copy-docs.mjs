// Copies the guides into @svc/api before it is packed: outside the workspace, /docs is served from there.
import { cpSync, rmSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const copy = new URL('packages/api/docs/', root);
rmSync(copy, { recursive: true, force: true });
cpSync(new URL('docs/', root), copy, { recursive: true });
