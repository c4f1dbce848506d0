import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from '../bootstrap/run.mjs';
import { cache, root } from '../bootstrap/stamp.mjs';
import { findPython, onPath } from '../bootstrap/uv.mjs';

/**
 * Runs tests of the Python package, a file or folder in it, and returns the exit code, the counts and what was printed.
 * Without Python or uv they don't run, which is a failure in CI.
 */
export async function pytest(tests) {
  const none = { code: 0, passed: 0, failed: 0, skipped: 0, output: '' };
  const folder = join(root, 'packages/sdk-python');
  const python = await findPython();
  const uv = process.env.SVC_RUN__UV ?? 'uv';
  if (!python || !(process.env.SVC_RUN__UV || onPath('uv'))) {
    const output = 'The Python tests did not run: they need Python 3.10 or later and uv.';
    return process.env.CI ? { ...none, code: 1, failed: 1, output } : { ...none, output };
  }
  const report = join(cache, 'pytest.xml');
  rmSync(report, { force: true });
  const environment = ['run', '--quiet', '--no-project', '--python', python, '--with-editable', `${folder}[test]`];
  const env = { ...process.env, UV_PYTHON_DOWNLOADS: 'never', PYTHONDONTWRITEBYTECODE: '1' };
  const program = ['pytest', '-q', `--junitxml=${report}`, join(folder, tests)];
  const ran = await quietly('pytest', uv, [...environment, ...program], { env }).then(
    (output) => ({ code: 0, output }),
    (error) => ({ code: 1, output: error.message }),
  );
  return { ...ran, ...(readJunit(report) ?? { passed: 0, failed: 1, skipped: 0 }) };
}

function readJunit(file) {
  if (!existsSync(file)) return null;
  const suite = /<testsuite [^>]*>/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  const count = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  const failed = count('failures') + count('errors');
  return { passed: count('tests') - failed - count('skipped'), failed, skipped: count('skipped') };
}
