// Bundles the command line: one file for the start, one for each command, loaded when it is called.
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const standard = join(root, 'dist/bundle');

// The parser of oclif names its help and its handling of errors, which this program has of its own: they would bring
// templates, spinners and globs along, half of what a command loads.
const withoutHelp = {
  name: 'without-help',
  setup: ({ onLoad }) => {
    const unused = /@oclif[\\/]core[\\/]lib[\\/](help[\\/]index|errors[\\/]handle)\.js$/;
    onLoad({ filter: unused }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
  },
};

export default async function bundle(outdir = standard) {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: [join(root, 'src/main.ts')],
    outdir,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@svc/source'],
    minify: true,
    // oclif asks for it only to run commands written in TypeScript.
    external: ['typescript'],
    // CommonJS libraries inside the bundle still call require.
    banner: { js: "import{createRequire as __r}from'node:module';const require=__r(import.meta.url);" },
    plugins: [withoutHelp],
    logLevel: 'warning',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
