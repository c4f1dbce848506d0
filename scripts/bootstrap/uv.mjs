// uv installs the packages of Python assets. It is taken from PATH, or installed once from its package registry
// into a folder of the workspace.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { quietly } from './run.mjs';
import { cache } from './stamp.mjs';

const run = promisify(execFile);
const suffix = process.platform === 'win32' ? '.exe' : '';
const folder = join(cache, 'uv');
/** One version, with the hashes of its files. */
const requirements = fileURLToPath(new URL('uv-requirements.txt', import.meta.url));
const failure = join(cache, 'uv-failed');

/**
 * The environment for the service and the tests: with SVC_RUN__UV if uv was installed here. Prints a line if it
 * can't be installed; everything except Python assets works without it. Tries again after the next installation.
 */
export async function withUv({ retry }) {
  if (process.env.SVC_RUN__UV || process.env.SVC_RUN__UV_FILE || onPath('uv')) return process.env;
  const fetched = join(folder, 'bin', `uv${suffix}`);
  if (existsSync(fetched)) return { ...process.env, SVC_RUN__UV: fetched };
  if (!retry && existsSync(failure)) return without(readFileSync(failure, 'utf8'));
  const reason = await fetchUv();
  if (!reason && existsSync(fetched)) return { ...process.env, SVC_RUN__UV: fetched };
  writeFileSync(failure, reason ?? 'its package contains no program for this platform');
  return without(reason);
}

/** The Python to use (3.10 or later), or null. */
export async function findPython() {
  for (const name of ['python3', 'python']) {
    if (!onPath(name)) continue;
    const check = 'import sys; sys.exit(sys.version_info < (3, 10))';
    if (
      await run(name, ['-c', check]).then(
        () => true,
        () => false,
      )
    )
      return name;
  }
  return null;
}

async function fetchUv() {
  const python = await findPython();
  if (!python) return 'there is no Python 3.10 or later on PATH';
  console.log('Installing uv …');
  const locked = ['--require-hashes', '--requirement', requirements];
  const failed = await install(python, locked);
  if (failed === null || !/no matching distribution/i.test(failed)) return failed;
  console.log(
    'The package registry does not have the uv whose hash is known here: its newest version is used, without a known hash.',
  );
  return install(python, ['uv']);
}

/** Null, or why pip failed. */
async function install(python, what) {
  const flags = ['--quiet', '--disable-pip-version-check', '--only-binary', ':all:', '--target', folder];
  try {
    await quietly('Installing uv', python, ['-m', 'pip', 'install', ...flags, ...what]);
    return null;
  } catch (error) {
    const output = (error.output || error.message).trim().split('\n');
    return `pip could not install it (${output.find((line) => /no matching distribution|do not match the hashes/i.test(line)) ?? output.at(-1)})`;
  }
}

function without(reason) {
  console.log(`Python assets will not run, because uv is missing: ${reason}. Install uv to change that.`);
  return process.env;
}

export function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((entry) => entry && existsSync(join(entry, name + suffix)));
}
