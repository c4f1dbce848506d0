// Bundles a built program of apps/ with all its imports into few files: opening a thousand small ones is most of the
// start time. Files other than JavaScript stay where they are installed, as do files that a package looks up beside
// itself (pages, migrations, the engine's process).
import { readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Packages with native code or WebAssembly. */
const NATIVE = /^(@node-rs|@duckdb|parquet-wasm)\//;
/** An optional dependency of `pg` that is never installed. */
const ABSENT = ['pg-native', 'cloudflare:sockets'];

// CommonJS modules expect these, and so do the two functions below. A package is resolved from the program,
// wherever both were installed, so each program's package.json lists @svc/db and @svc/lake even if it imports neither.
const HEAD = `import { createRequire as __createRequire } from 'node:module';
import { dirname as __dirnameOf } from 'node:path';
import { fileURLToPath as __fileURLToPath, pathToFileURL as __pathToFileURL } from 'node:url';
const require = __createRequire(import.meta.url);
const __bundleFile = __fileURLToPath(import.meta.url);
const __bundleFolder = __dirnameOf(__bundleFile);
const __urlWithin = (name, file) => new URL(file, __pathToFileURL(require.resolve(name + '/package.json'))).href;
`;

/** The workspace package of a file, and its path in the package; null for files of other packages. */
function packagePathOf(path) {
  const [kind, folder, ...rest] = relative(root, path).split(sep);
  if ((kind !== 'packages' && kind !== 'apps') || rest[0] !== 'dist') return null;
  return { isApp: kind === 'apps', name: `@svc/${folder}`, file: rest.join('/') };
}

// `import.meta.url` of a workspace file names that file, not the bundle.
const packagePaths = {
  name: 'package-paths',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const packagePath = packagePathOf(path);
      if (packagePath === null) return undefined;
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const url = packagePath.isApp
        ? `new URL(${JSON.stringify(`../${packagePath.file.slice('dist/'.length)}`)}, import.meta.url).href`
        : `__urlWithin(${JSON.stringify(packagePath.name)}, ${JSON.stringify(packagePath.file)})`;
      return { contents: text.replaceAll('import.meta.url', url), loader: 'js' };
    });
  },
};

// Loaded through the workspace package that depends on it: the program itself needn't find it.
const nativeModules = {
  name: 'native-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: NATIVE }, ({ path, importer }) => {
      const packagePath = packagePathOf(importer);
      if (packagePath === null) throw new Error(`${importer} imports ${path}: only files of the workspace may`);
      return { path, namespace: 'native', pluginData: packagePath };
    });
    onLoad({ filter: /.*/, namespace: 'native' }, ({ path, pluginData: { name } }) => ({
      contents: `module.exports = __createRequire(__urlWithin('${name}', 'package.json'))(${JSON.stringify(path)});`,
      loader: 'js',
    }));
  },
};

/** Bundles entries of `apps/<app>/dist` into `apps/<app>/dist/bundle`. */
export async function bundleApp(app, entries = ['main']) {
  const dist = join(root, 'apps', app, 'dist');
  const outdir = join(dist, 'bundle');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: entries.map((entry) => join(dist, `${entry}.js`)),
    outdir,
    bundle: true,
    // Code that is loaded on demand stays in separate files: the bucket client, traces.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Keeps names for errors in the log.
    minifySyntax: true,
    banner: { js: HEAD },
    // Names of our own, because some modules declare `__filename` themselves.
    define: { __filename: '__bundleFile', __dirname: '__bundleFolder' },
    external: ABSENT,
    plugins: [packagePaths, nativeModules],
    logLevel: 'warning',
  });
}
