// The steps that prepare a clone. Each takes only milliseconds if its inputs haven't changed.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pnpm, quietly } from './run.mjs';
import { contentsOf, filesBelow, isStamped, packageFolders, root, stamp, timesOf, unstamp } from './stamp.mjs';

const node = process.execPath;

/** Installs the packages of the lock file. Returns whether there was anything to do. */
export async function install() {
  const manifests = packageFolders().map((folder) => `${folder}/package.json`);
  const inputs = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', 'package.json', ...manifests];
  const fingerprint = () => contentsOf(inputs, process.version, process.platform, process.arch);
  if (isStamped('install', fingerprint()) && existsSync(join(root, 'node_modules/.modules.yaml'))) return false;
  console.log('Installing packages …');
  const frozen = process.env.CI ? ['--frozen-lockfile'] : ['--prefer-frozen-lockfile'];
  const [program, args] = pnpm('install', ...frozen, '--reporter=append-only');
  // Outside CI, pnpm would ask before it replaces a folder of another version.
  await quietly('Installing packages', program, args, { env: { ...process.env, CI: 'true' } });
  stamp('install', fingerprint());
  return true;
}

/** Generates the Prisma client from the schema. */
export async function generatePrisma() {
  const fingerprint = contentsOf(['prisma/schema.prisma', 'prisma.config.ts', 'pnpm-lock.yaml']);
  if (isStamped('generate', fingerprint) && existsSync(join(root, 'packages/db/src/generated/client.ts'))) return;
  // Prisma would download its schema engine, which `generate` never runs: any program can be named instead.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: node,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  await quietly('Generating the database client', node, [prismaProgram(), 'generate'], { env });
  stamp('generate', fingerprint);
}

function prismaProgram() {
  const require = createRequire(join(root, 'packages/db/package.json'));
  return join(dirname(require.resolve('prisma/package.json')), 'build/index.js');
}

// The compiler rejects a project without source files.
function hasSources(folder) {
  return filesBelow(`${folder}/src`).some((file) => file.endsWith('.ts'));
}

// The inputs of a build, and whether the last build is still valid.
function sourcesOfBuild() {
  const folders = packageFolders();
  const extra = folders.map((folder) => `${folder}/build.mjs`).filter((file) => existsSync(join(root, file)));
  const projects = folders.filter(
    (folder) => existsSync(join(root, folder, 'tsconfig.build.json')) && hasSources(folder),
  );
  const sources = folders.flatMap((folder) => filesBelow(`${folder}/src`));
  const configs = folders.flatMap((folder) => [`${folder}/package.json`, `${folder}/tsconfig.build.json`]);
  const inputs = [...sources, ...configs, ...extra, 'scripts/bundle-app.mjs', 'tsconfig.json', 'tsconfig.base.json'];
  const fingerprint = timesOf(inputs, process.version);
  const complete = projects.every((folder) => existsSync(join(root, folder, 'dist')));
  return { extra, projects, fingerprint, isBuilt: complete && isStamped('build', fingerprint), complete };
}

async function runExtra(files) {
  for (const file of files) {
    const { default: buildMore } = await import(pathToFileURL(join(root, file)).href);
    await buildMore();
  }
}

/** Compiles every package with its types, then runs the `build.mjs` of those that have one. */
export async function build() {
  const { extra, projects, fingerprint, isBuilt } = sourcesOfBuild();
  if (isBuilt) return;
  console.log('Building …');
  unstamp('build');
  await quietly('Building', node, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-b',
    '--pretty',
    'false',
    ...projects.map((folder) => `${folder}/tsconfig.build.json`),
  ]);
  await runExtra(extra);
  stamp('build', fingerprint);
}

/** Produces the JavaScript without checking types: a first start needn't wait for that. */
export async function transpile() {
  const { extra, projects, fingerprint, isBuilt, complete } = sourcesOfBuild();
  if (isBuilt || (complete && isStamped('transpile', fingerprint))) return;
  console.log('Building …');
  const { transformFile } = createRequire(join(root, 'package.json'))('@swc/core');
  const files = projects.flatMap((folder) =>
    filesBelow(`${folder}/src`)
      .filter(isRun)
      .map((file) => ({ folder, file })),
  );
  const one = async ({ folder, file }) => {
    const { code } = await transformFile(join(root, file), {
      jsc: { target: 'es2022', parser: { syntax: 'typescript' }, rewriteRelativeImportExtensions: true },
      module: { type: 'es6' },
      swcrc: false,
    });
    const to = join(root, folder, 'dist', file.slice(`${folder}/src/`.length).replace(/\.ts$/, '.js'));
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, code);
  };
  await Promise.all(files.map(one));
  await runExtra(extra);
  stamp('transpile', fingerprint);
}

// As the tsconfig.build.json of the packages excludes tests.
function isRun(file) {
  return file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.endsWith('.test.ts') && !file.includes('/testing/');
}
