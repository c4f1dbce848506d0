// Copies the migrations into @svc/db before it is packed: outside the workspace, they are read from there.
import { cpSync, rmSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const copy = new URL('packages/db/migrations/', root);
rmSync(copy, { recursive: true, force: true });
cpSync(new URL('prisma/migrations/', root), copy, { recursive: true });
