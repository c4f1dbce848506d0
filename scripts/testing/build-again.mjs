// Transpiles and bundles everything with the Node that runs this, as the first `npm start` of a clone does.
import { execFileSync } from 'node:child_process';
import { root } from '../bootstrap/stamp.mjs';

const BUNDLED = ['packages/lake', 'apps/server', 'apps/worker', 'apps/standalone', 'packages/cli'];

const run = (file, cwd) => execFileSync(process.execPath, [file], { cwd, stdio: 'inherit' });
run('scripts/build/transpile.mjs', root);
for (const folder of BUNDLED) run('build.mjs', `${root}${folder}`);
console.log(`Node ${process.versions.node}: built`);
