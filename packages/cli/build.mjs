// Bundles the command line into one file. Modules that only one command needs are evaluated when it runs.
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const standard = join(root, 'dist/bundle');

// oclif's parser imports its help and error handling, which svc doesn't use. They would load templates,
// spinners and globs, half of the code of a command.
const withoutHelp = {
  name: 'without-help',
  setup: ({ onLoad }) => {
    const unused = /@oclif[\\/]core[\\/]lib[\\/](help[\\/]index|parser[\\/]help|errors[\\/]handle)\.js$/;
    onLoad({ filter: unused }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
    // svc has no editor prompts; theirs would bundle tables of all character sets.
    onLoad({ filter: /@inquirer[\\/]editor[\\/]/ }, () => ({ contents: 'export default undefined;', loader: 'js' }));
  },
};

// Node modules that most commands never use and that take some milliseconds to load.
const loadedWhenUsed = {
  name: 'loaded-when-used',
  setup: ({ onLoad, onResolve }) => {
    const seldom = /^(node:)?(readline|fs\/promises|stream\/promises|timers\/promises|zlib|dns)$/;
    onResolve({ filter: seldom }, ({ path }) => ({ path, namespace: 'seldom' }));
    onLoad({ filter: seldom, namespace: 'seldom' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== 'default');
      // A call that esbuild doesn't recognize as an import to resolve.
      const load = `const from = require, all = () => from(${JSON.stringify(path)});`;
      const get = '(name) => Object.defineProperty(exports, name, { enumerable: true, get: () => all()[name] })';
      return { contents: `${load}\n${JSON.stringify(names)}.forEach(${get});`, loader: 'js' };
    });
  },
};

export default async function bundle(outdir = standard) {
  rmSync(outdir, { recursive: true, force: true });
  const outfile = join(outdir, 'main.cjs');
  await build({
    entryPoints: [join(root, 'src/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Dynamic imports become require calls, without Node's module loader.
    supported: { 'dynamic-import': false },
    conditions: ['@svc/source'],
    minify: true,
    // oclif needs it only to run commands written in TypeScript.
    external: ['typescript'],
    plugins: [withoutHelp, loadedWhenUsed],
    logLevel: 'warning',
  });
  // Written as one ASCII function after a hash of its text: bin/load.cjs compiles it and caches the code by the hash.
  const ascii = readFileSync(outfile, 'utf8').replace(/[^\x00-\x7f]/g, escapeUnit);
  const name = createHash('sha256').update(ascii).digest('hex').slice(0, 32);
  writeFileSync(outfile, `/*${name}*/(function (exports, require, module) {${ascii}\n})`);
}

const escapeUnit = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
