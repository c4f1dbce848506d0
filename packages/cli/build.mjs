// Bundles the command line into one file. What a command alone needs is evaluated when it is called.
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const standard = join(root, 'dist/bundle');

// The parser of oclif names help and handling of errors, which this program has of its own: they would bring templates,
// spinners and globs along, half of what a command loads.
const withoutHelp = {
  name: 'without-help',
  setup: ({ onLoad }) => {
    const unused = /@oclif[\\/]core[\\/]lib[\\/](help[\\/]index|parser[\\/]help|errors[\\/]handle)\.js$/;
    onLoad({ filter: unused }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
    // Nobody is asked for a text in an editor: that one brings the tables of all character sets along.
    onLoad({ filter: /@inquirer[\\/]editor[\\/]/ }, () => ({ contents: 'export default undefined;', loader: 'js' }));
  },
};

// Modules of Node that most commands never use, and that take some milliseconds to load.
const loadedWhenUsed = {
  name: 'loaded-when-used',
  setup: ({ onLoad, onResolve }) => {
    const seldom = /^(node:)?(readline|fs\/promises|stream\/promises|timers\/promises|zlib|dns)$/;
    onResolve({ filter: seldom }, ({ path }) => ({ path, namespace: 'seldom' }));
    onLoad({ filter: seldom, namespace: 'seldom' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== 'default');
      // A call that esbuild does not know for one that names a module to be resolved.
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
    // Evaluated when it is called, without Node's loader of modules.
    supported: { 'dynamic-import': false },
    conditions: ['@svc/source'],
    minify: true,
    // oclif asks for it only to run commands written in TypeScript.
    external: ['typescript'],
    plugins: [withoutHelp, loadedWhenUsed],
    logLevel: 'warning',
  });
  // One function in ASCII, after a name for this very text: bin/load.cjs compiles it as it is, and keeps it by its name.
  const ascii = readFileSync(outfile, 'utf8').replace(/[^\x00-\x7f]/g, escapeUnit);
  const name = createHash('sha256').update(ascii).digest('hex').slice(0, 32);
  writeFileSync(outfile, `/*${name}*/(function (exports, require, module) {${ascii}\n})`);
}

const escapeUnit = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
