// Bundles the engine's process with its imports: loading them as a hundred small files is most of its start.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('./dist/', import.meta.url));

// Native code stays where it is installed. Only @duckdb/node-api depends on it.
const nativeBindings = {
  name: 'native-bindings',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@duckdb\/node-bindings$/ }, ({ path }) => ({ path, namespace: 'native' }));
    onLoad({ filter: /.*/, namespace: 'native' }, ({ path }) => ({
      contents: `module.exports = __createRequire(require.resolve('@duckdb/node-api'))(${JSON.stringify(path)});`,
      loader: 'js',
    }));
  },
};

export const engineProcess = {
  entryPoints: [`${dist}queries/sandbox/child.js`],
  outfile: `${dist}engine/child.js`,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  banner: {
    js: `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);`,
  },
  plugins: [nativeBindings],
  logLevel: 'warning',
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(engineProcess);
