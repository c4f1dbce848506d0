// Bundles the command line into one file. Modules that only one command needs are evaluated when it runs.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const standard = join(root, 'dist/bundle');

// Parts of oclif that svc doesn't use, or only with help, and that would load with every command: the handler of uncaught
// errors, help in the messages of the parser, spinners, the search for commands in a folder, templates of help texts.
const replaced = new Set();
const withoutUnused = {
  name: 'without-unused',
  setup: ({ onLoad, onResolve, resolve }) => {
    const replace = (filter, contents) =>
      onLoad({ filter }, ({ path }) => {
        replaced.add(path);
        return { contents, loader: 'js' };
      });
    replace(/@oclif[\\/]core[\\/]lib[\\/](parser[\\/]help|errors[\\/]handle)\.js$/, 'module.exports = {};');
    replace(
      /@oclif[\\/]core[\\/]lib[\\/]ux[\\/]action[\\/](simple|spinner)\.js$/,
      'exports.__esModule = true; exports.default = class {};',
    );
    replace(/node_modules[\\/](tinyglobby|minimatch)[\\/]/, 'module.exports = {};');
    // svc has no editor prompts; theirs would bundle tables of all character sets.
    replace(/@inquirer[\\/]editor[\\/]/, 'export default undefined;');
    onResolve({ filter: /^ejs$/ }, async ({ resolveDir, importer, kind, pluginData }) => {
      if (pluginData === 'real') return undefined;
      const { path } = await resolve('ejs', { resolveDir, importer, kind, pluginData: 'real' });
      return { path, namespace: 'deferred' };
    });
    onLoad({ filter: /.*/, namespace: 'deferred' }, ({ path }) => ({
      contents: `exports.render = (...args) => require(${JSON.stringify(path)}).render(...args);`,
      loader: 'js',
      resolveDir: root,
    }));
  },
};

// Node modules that most commands never use and that take some milliseconds to load.
const loadedWhenUsed = {
  name: 'loaded-when-used',
  setup: ({ onLoad, onResolve }) => {
    const seldom = /^(node:)?(child_process|readline|fs\/promises|stream\/promises|timers\/promises|zlib|dns)$/;
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

/** Writes the bundle, and returns the packages in it. */
export default async function bundle(outdir = standard) {
  rmSync(outdir, { recursive: true, force: true });
  const outfile = join(outdir, 'main.cjs');
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
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
    plugins: [withoutUnused, loadedWhenUsed],
    logLevel: 'warning',
  });
  // Written as one ASCII function after a hash of its text: bin/load.cjs compiles it and caches the code by the hash.
  const ascii = readFileSync(outfile, 'utf8').replace(/[^\x00-\x7f]/g, escapeUnit);
  const name = createHash('sha256').update(ascii).digest('hex').slice(0, 32);
  writeFileSync(outfile, `/*${name}*/(function (exports, require, module) {${ascii}\n})`);
  const contents = Object.entries(Object.values(metafile.outputs)[0].inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([input]) => resolve(root, input.replace(/^\w+:/, '')));
  return packagesOf(contents.filter((path) => !replaced.has(path)));
}

/** The installed packages that files belong to, as `name@version`. */
function packagesOf(files) {
  const found = files.flatMap((file) => {
    const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file) ?? [];
    if (folder === undefined || !existsSync(join(folder, 'package.json'))) return [];
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return [`${name}@${version}`];
  });
  return new Set(found);
}

const escapeUnit = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
