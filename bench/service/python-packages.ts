import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Installs packages from PyPI into an environment in the cache of this checkout. Returns the folder of its programs, or null without uv or
 * a package index.
 */
export async function installPackages(environment: string, packages: readonly string[]): Promise<string | null> {
  const uv = process.env['SVC_RUN__UV'] ?? 'uv';
  const bin = fileURLToPath(new URL(`../../node_modules/.cache/svc/${environment}/bin`, import.meta.url));
  const python = join(bin, 'python');
  try {
    if (!existsSync(python)) await run(uv, ['venv', '--quiet', join(bin, '..')]);
    await run(uv, ['pip', 'install', '--quiet', '--python', python, ...packages]);
    return bin;
  } catch (error) {
    console.log(`Without ${packages.join(' and ')}: ${(error as Error).message.split('\n')[0]}`);
    return null;
  }
}
