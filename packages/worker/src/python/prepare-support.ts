import { createHash, randomUUID } from 'node:crypto';
import { access, cp, mkdir, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isSandboxed } from '../isolation/index.ts';
import { moveInto } from './build-environment.ts';
import { withBuildLock } from './build-lock.ts';
import { compileModules } from './compile-modules.ts';
import { runUv, type UvOptions } from './uv-process.ts';

const underWay = new Map<string, Promise<string>>();

/**
 * Returns the folder with the module `svc` and its dependencies, which tasks append to their module path. It is
 * installed from the wheels next to the module, once for each minor Python version and each state of the module. Throws
 * RunError.
 */
export async function prepareSupport(options: UvOptions): Promise<string> {
  const requirements = join(options.sdk, 'support-requirements.txt');
  const hash = createHash('sha256').update(await readFile(requirements));
  // Isolated tasks never use a folder that other tasks could write to.
  if (isSandboxed(options.isolation)) hash.update('isolated\0');
  const source = join(options.sdk, 'src', 'svc');
  for (const name of (await readdir(source)).filter((file) => /\.py$|^py\.typed$/.test(file)).sort()) {
    hash.update(`${name}\0`).update(await readFile(join(source, name)));
  }
  const minor = options.python.version.split('.').slice(0, 2).join('.');
  const dir = join(options.envRoot, `support-${minor}-${hash.digest('hex').slice(0, 16)}`);
  const running = underWay.get(dir) ?? install(options, requirements, source, dir);
  underWay.set(dir, running);
  try {
    const folder = await running;
    await utimes(folder, new Date(), new Date());
    return folder;
  } finally {
    underWay.delete(dir);
  }
}

async function install(options: UvOptions, requirements: string, source: string, dir: string): Promise<string> {
  const there = await access(dir).then(
    () => true,
    () => false,
  );
  if (there) return dir;
  const draft = join(options.envRoot, `.building-support-${randomUUID()}`);
  await mkdir(draft, { recursive: true });
  try {
    const target = join(draft, 'support');
    const wheels = join(options.sdk, 'wheels');
    const args = ['pip', 'install', '--no-config', '--python', options.python.command, '--target', target];
    // The worker's own packages don't come from an index, so no index operator can replace or withhold them.
    args.push('--offline', '--no-index', '--find-links', wheels);
    args.push('--require-hashes', '--only-binary', ':all:', '-r', requirements);
    const run = { args, cwd: draft, folder: draft, readable: [requirements, wheels] };
    await withBuildLock(options.envRoot, () => runUv(run, options), options.signal);
    await cp(source, join(target, 'svc'), { recursive: true, filter: (path) => !path.includes('__pycache__') });
    await compileModules(target, options);
    await moveInto(target, dir);
    return dir;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
