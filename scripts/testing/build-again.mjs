// Transpiles and bundles everything with the Node that runs this, as the first `npm start` of a clone does.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, root } from '../bootstrap/stamp.mjs';

const run = (file, cwd) => execFileSync(process.execPath, [file], { cwd, stdio: 'inherit' });
run('scripts/build/transpile.mjs', root);
for (const folder of packageFolders().map((name) => join(root, name))) {
  if (existsSync(join(folder, 'build.mjs'))) run('build.mjs', folder);
}
console.log(`Node ${process.versions.node}: built`);
