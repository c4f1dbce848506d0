// Generates the database client from prisma/schema.prisma into packages/db/src/generated.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(join(root, 'packages/db/package.json'));
const prisma = join(dirname(require.resolve('prisma/package.json')), 'build/index.js');
// Prisma would download its schema engine, which `generate` never runs: any program can be named instead.
const env = {
  ...process.env,
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
};
execFileSync(process.execPath, [prisma, 'generate'], { cwd: root, env, stdio: 'inherit' });
