// npm run sbom [FOLDER [PACKAGE …]]: a CycloneDX bill of materials for each published package and each program of the images, with the
// packages that it runs with on any platform, as the lock file has them. Without FOLDER, in node_modules/.cache/svc/sbom.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
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

/** The bill of materials of one package of the workspace. */
async function billOf(subject, { licences, integrity }) {
  // The command line is one file, so what it contains isn't among the packages that it installs.
  const kinds = subject === '@svc/cli' ? [] : ['--prod'];
  const [tree] = await json('list', ...kinds, '--depth', 'Infinity', '--json', '--filter', subject);
  const components = [...packagesBelow(tree).values()]
    .filter(({ version }) => version !== 'workspace')
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
    const bill = await billOf(subject, known);
    if (bill.components.length === 0) throw new Error(`pnpm lists no packages for ${subject}.`);
    const file = join(folder, `${subject.replace('@svc/', 'svc-')}.cdx.json`);
    writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
    console.log(`${file}: ${bill.components.length} packages`);
  }
}

const [folder = join(root, 'node_modules/.cache/svc/sbom'), ...subjects] = process.argv.slice(2);
await writeBills(resolve(folder), subjects.length > 0 ? subjects : SUBJECTS);
