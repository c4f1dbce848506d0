// Writes the JavaScript of every package and app to its `dist`, without checking types, which `npm run verify types` does.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformFile } from '@swc/core';
import { filesBelow, packageFolders, root } from '../bootstrap/stamp.mjs';

const OPTIONS = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript' }, rewriteRelativeImportExtensions: true },
  module: { type: 'es6' },
  swcrc: false,
};

/** Tests and their helpers aren't published, and a tsconfig.build.json excludes them too. */
function isPublished(file) {
  return file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.endsWith('.test.ts') && !file.includes('/testing/');
}

async function transpile(folder, file) {
  const { code } = await transformFile(join(root, file), OPTIONS);
  const target = join(root, folder, 'dist', file.slice(`${folder}/src/`.length).replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  // One after another: container engines let a build open 1,024 files.
  writeFileSync(target, code);
}

/** These have their own build: benchmarks run from sources, and Vite writes the console. */
const OTHERS = ['bench', 'packages/console'];
const folders = packageFolders().filter((folder) => !OTHERS.includes(folder));
// Files of deleted sources would stay otherwise.
for (const folder of folders) rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
await Promise.all(
  folders.flatMap((folder) =>
    filesBelow(`${folder}/src`)
      .filter(isPublished)
      .map((file) => transpile(folder, file)),
  ),
);
