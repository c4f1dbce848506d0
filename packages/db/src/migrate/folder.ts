import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The folder of migrations. In the workspace that is `prisma/migrations`; a packed `@svc/db` carries a copy in
 * `migrations` beside `dist`, made by its `prepack` script (scripts/copy-migrations.mjs).
 */
export function migrationsFolder(): string {
  const packageRoot = new URL('../../', import.meta.url);
  const workspace = new URL('../../pnpm-workspace.yaml', packageRoot);
  const folder = existsSync(workspace)
    ? new URL('../../prisma/migrations', packageRoot)
    : new URL('migrations', packageRoot);
  return fileURLToPath(folder);
}
