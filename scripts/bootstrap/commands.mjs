// The commands of the workspace, each with the steps that it needs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, install } from './prepare.mjs';
import { expected, inForeground } from './run.mjs';
import { root } from './stamp.mjs';
import { withUv } from './uv.mjs';

const node = process.execPath;

async function prepare({ uv = false } = {}) {
  const installed = await install();
  const environment = uv ? withUv({ retry: installed }) : process.env;
  await build('bundle');
  return environment;
}

// Runs in this process: signals reach the service directly, and there is no second Node process.
async function runHere(file, args, environment) {
  const path = join(root, file);
  if (!existsSync(path)) throw expected(`${file} is not there: this version has no such command yet.`);
  Object.assign(process.env, environment);
  process.argv = [node, path, ...args];
  await import(pathToFileURL(path).href);
}

/** A bundled program of the standalone service (scripts/build/bundle-app.mjs). */
const bundled = (name) => `apps/standalone/dist/bundle/${name}.js`;

/** Flags with which a script uses the sources of the packages, without a build. */
const SOURCES = ['--import', './scripts/typescript.mjs', '--conditions=@svc/source'];

async function runScript(file, args, environment = process.env, flags = []) {
  process.exitCode = await inForeground(node, [...flags, join(root, file), ...args], { env: environment });
}

export const commands = {
  start: async (args) => runHere(bundled('main'), args, await prepare({ uv: true })),
  dev: async (args) => runHere('scripts/dev.mjs', args, await prepare({ uv: true })),
  demo: async (args) => runHere(bundled('demo'), args, await prepare({ uv: true })),
  stop: async (args) => runHere(bundled('stop'), args, await prepare()),
  seed: async (args) => runHere(bundled('seed'), args, await prepare({ uv: true })),
  'svc-admin': async (args) => runHere(bundled('admin'), args, await prepare()),
  test: async (args) => runScript('scripts/test.mjs', args, await prepare({ uv: true })),
  'test:long': async (args) => runScript('scripts/test.mjs', ['--long', ...args], await prepare({ uv: true })),
  'test:engines': async (args) => runScript('scripts/engines/run.mjs', args, await prepare({ uv: true }), SOURCES),
  bench: async (args) => runScript('scripts/bench.mjs', args, await prepare({ uv: true })),
  build: async () => void (await prepare()),
  verify: async (args) => {
    await install();
    await build('prisma-client');
    await runScript('scripts/verify.mjs', args);
  },
  generate: async (args) => {
    await install();
    await build('prisma-client');
    await runScript('scripts/generate.mjs', args, process.env, SOURCES);
  },
  sbom: async (args) => {
    await install();
    await runScript('scripts/sbom.mjs', args);
  },
  release: async (args) => runScript('scripts/release.mjs', args, await prepare({ uv: true }), SOURCES),
  migration: async (args) => {
    await install();
    await runScript('scripts/schema/migration.mjs', args);
  },
};
