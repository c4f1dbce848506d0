import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * The folder of migrations: `prisma/migrations` in the workspace. The packed `@svc/db` has a copy in `migrations` next
 * to `dist`, created by its `prepack` script (scripts/copy-migrations.mjs).
 */
export function migrationsFolder(): string {
  const packageRoot = new URL('../../', import.meta.url);
  const workspace = new URL('../../pnpm-workspace.yaml', packageRoot);
  const folder = existsSync(workspace)
    ? new URL('../../prisma/migrations', packageRoot)
    : new URL('migrations', packageRoot);
  return fileURLToPath(folder);
}

/** Names of the migrations in the folder, oldest first. */
export async function migrationNames(folder: string = migrationsFolder()): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
