// npm run sbom [FOLDER [PACKAGE …]]: a CycloneDX bill of materials for each published package and each program of the images, with the
// packages that it runs with, as the lock file has them. Without FOLDER, in node_modules/.cache/svc/sbom. If FOLDER contains an image's
// program, only the packages in it; otherwise, the packages of all platforms.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import bundleCommandLine from '../packages/cli/build.mjs';
import { pnpm } from './bootstrap/run.mjs';
import { root } from './bootstrap/stamp.mjs';

const SUBJECTS = ['core', 'iceberg', 'sdk', 'cli', 'app-server', 'app-worker', 'app-standalone'].map(
  (name) => `@svc/${name}`,
);

const { parse } = createRequire(join(root, 'packages/core/package.json'))('yaml');
const run = promisify(execFile);

async function json(...args) {
  const [program, pnpmArgs] = pnpm(...args);
  const { stdout } = await run(program, pnpmArgs, { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  return JSON.parse(stdout);
}

const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** The packages below a package, by name and version, with the names and versions of what each needs. */
function packagesBelow(node, found = new Map()) {
  for (const [alias, one] of Object.entries({
    ...node.dependencies,
    ...node.optionalDependencies,
    ...node.devDependencies,
  })) {
    const name = one.from ?? alias;
    // Packages of the workspace have the version of their folder.
    const version = one.version.startsWith('link:') ? 'workspace' : one.version;
    const key = `${name}@${version}`;
    if (found.has(key)) {
      // A repeated package lists what it needs in one place only.
      if (Object.keys({ ...one.dependencies }).length > 0) packagesBelow(one, found);
      continue;
    }
    found.set(key, { name, version });
    packagesBelow(one, found);
  }
  return found;
}

/** The packages that are installed in a deployed folder, as `name@version`. */
function installedIn(store) {
  const folders = readdirSync(store).flatMap((one) => {
    const packages = join(store, one, 'node_modules');
    const names = existsSync(packages) ? readdirSync(packages, { withFileTypes: true }) : [];
    return names.flatMap((entry) => {
      if (!entry.isDirectory()) return [];
      const path = join(packages, entry.name);
      if (!entry.name.startsWith('@')) return [path];
      const scoped = readdirSync(path, { withFileTypes: true }).filter((inside) => inside.isDirectory());
      return scoped.map((inside) => join(path, inside.name));
    });
  });
  const manifests = folders.map((folder) => join(folder, 'package.json')).filter((file) => existsSync(file));
  return new Set(
    manifests.map((file) => {
      const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
      return `${name}@${version}`;
    }),
  );
}

/** The packages in the pages of the console, which its build lists. */
function packagesOfConsole() {
  const text = readFileSync(join(root, 'packages/console/dist/licenses.md'), 'utf8');
  return new Set([...text.matchAll(/^## (\S+) - (\S+)/gm)].map(([, name, version]) => `${name}@${version}`));
}

/** The package trees of a subject: which kinds of dependencies of which package, and which of them it contains. */
async function treesOf(subject, folder) {
  // The command line is one file, so what it contains isn't among the packages that it installs.
  if (subject === '@svc/cli')
    return [
      { subject, kinds: [], contains: await bundleCommandLine(join(root, 'node_modules/.cache/svc/command-line')) },
    ];
  const store = join(folder, 'node_modules/.pnpm');
  const tree = { subject, kinds: ['--prod'], contains: existsSync(store) ? installedIn(store) : null };
  const hasConsole = ['@svc/app-server', '@svc/app-standalone'].includes(subject);
  return hasConsole ? [tree, { subject: '@svc/console', kinds: ['--prod'], contains: packagesOfConsole() }] : [tree];
}

async function packagesIn({ subject, kinds, contains }) {
  const [root] = await json('list', ...kinds, '--depth', 'Infinity', '--json', '--filter', subject);
  const packages = [...packagesBelow(root)].filter(
    ([key, { version }]) => version !== 'workspace' && (contains === null || contains.has(key)),
  );
  if (packages.length === 0) throw new Error(`pnpm lists no packages for ${subject}.`);
  return { root, packages };
}

/** The bill of materials of one package of the workspace. */
async function billOf(subject, folder, { licences, integrity }) {
  const trees = await Promise.all((await treesOf(subject, folder)).map(packagesIn));
  const tree = trees[0].root;
  const components = [...new Map(trees.flatMap(({ packages }) => packages)).values()]
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
    .map(({ name, version }) => {
      const licence = licences.get(`${name}@${version}`);
      const hash = integrity.get(`${name}@${version}`);
      return {
        type: 'library',
        'bom-ref': purl(name, version),
        name,
        version,
        purl: purl(name, version),
        ...(licence === undefined ? {} : { licenses: [{ expression: licence }] }),
        ...(hash === undefined
          ? {}
          : {
              hashes: [
                { alg: 'SHA-512', content: Buffer.from(hash.slice('sha512-'.length), 'base64').toString('hex') },
              ],
            }),
      };
    });
  const reference = purl(tree.name, tree.version);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'library', 'bom-ref': reference, name: tree.name, version: tree.version, purl: reference },
    },
    components,
    dependencies: [{ ref: reference, dependsOn: components.map((component) => component['bom-ref']) }],
  };
}

/** Licences as the packages declare them, and hashes as the lock file has them. */
async function facts() {
  const listed = Object.entries(await json('licenses', 'list', '--json'));
  const licences = new Map(
    listed.flatMap(([licence, packages]) =>
      packages.flatMap(({ name, versions }) => versions.map((version) => [`${name}@${version}`, licence])),
    ),
  );
  const { packages } = parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'));
  const integrity = new Map(
    Object.entries(packages).flatMap(([key, { resolution }]) =>
      resolution.integrity?.startsWith('sha512-') ? [[key, resolution.integrity]] : [],
    ),
  );
  return { licences, integrity };
}

async function writeBills(folder, subjects) {
  mkdirSync(folder, { recursive: true });
  const known = await facts();
  for (const subject of subjects) {
    const bill = await billOf(subject, folder, known);
    const file = join(folder, `${subject.replace('@svc/', 'svc-')}.cdx.json`);
    writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
    console.log(`${file}: ${bill.components.length} packages`);
  }
}

const [folder = join(root, 'node_modules/.cache/svc/sbom'), ...subjects] = process.argv.slice(2);
await writeBills(resolve(folder), subjects.length > 0 ? subjects : SUBJECTS);
