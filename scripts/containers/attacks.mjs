// The attacks on the sandboxes of tasks and query processes, from inside a worker's container: with its account, Python, seccomp profile and
// without capabilities. The tests are those of this tree.
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap/stamp.mjs';
import { LIMITS } from './container.mjs';

const ACCOUNT = 10001;
const TESTS = ['packages/worker/src/isolation', 'packages/lake/src/queries/sandbox/restricted'];

export async function tryAttacks(engine, folder) {
  // The only place in the tree that tests write to.
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  chownSync(cache, ACCOUNT, ACCOUNT);
  const mounts = ['-v', `${root}:/src:ro`, '-v', `${cache}:/src/node_modules/.cache`, '--tmpfs', '/tmp'];
  const hardened = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
  const node = [
    '--import=/src/scripts/typescript.mjs',
    '--conditions=@svc/source',
    '--disable-warning=ExperimentalWarning',
  ];
  const jest = ['node_modules/jest/bin/jest.js', '--cacheDirectory=/tmp/jest', '--json', ...TESTS];
  const program = ['--workdir', '/src', '--entrypoint', 'node', 'svc-worker', ...node, ...jest];
  const output = await engine.run('run', '--rm', '--network', 'host', ...hardened, ...LIMITS, ...mounts, ...program);
  const { numPassedTests, numPendingTests } = JSON.parse(output);
  console.log(
    `attacks: ${numPassedTests} tests of the sandboxes pass in a worker's container, ${numPendingTests} need bubblewrap`,
  );
}
