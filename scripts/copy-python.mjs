// Copies the Python module into @svc/worker before it is packed: outside the workspace, tasks get it from there.
import { cpSync, rmSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const copy = new URL('packages/worker/sdk-python/', root);
rmSync(copy, { recursive: true, force: true });
const skipped = /[\\/](\.venv|\.[a-z]+_cache|__pycache__|tests|build|dist|[^\\/]+\.egg-info)([\\/]|$)/;
cpSync(new URL('packages/sdk-python/', root), copy, { recursive: true, filter: (path) => !skipped.test(path) });
