// npm run release: publishes the npm packages unless something prevents it.
//   --check    only lists the obstacles
//   --dry-run  lists it, then packs each package and the Python wheel, installs them in an empty folder and uses them
//   --schema   saves this version's database schema to prisma/released; later versions prove that they upgrade from it
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inForeground } from './bootstrap/run.mjs';
import { releasedFile, releasedSchema } from './schema/released.mjs';
import { pytest } from './testing/pytest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = ['core', 'iceberg', 'sdk', 'cli'];
const textOf = (file) => readFileSync(`${root}${file}`, 'utf8');

const versionOf = (name) => JSON.parse(textOf(`packages/${name}/package.json`)).version;

/** Whether the saved schema of this version is the current one. */
async function hasReleasedSchema(version) {
  const file = releasedFile(version);
  return existsSync(`${root}${file}`) && textOf(file) === (await releasedSchema());
}

async function saveSchema() {
  const file = `${root}${releasedFile(versionOf('core'))}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await releasedSchema());
}

/** Returns the obstacles to publishing: a sentence each, with the remedy. */
export async function obstacles() {
  const manifests = PACKAGES.map((name) => [
    `packages/${name}/package.json`,
    JSON.parse(textOf(`packages/${name}/package.json`)),
  ]);
  const [, { version }] = manifests[0];
  const python = /^version = "(.+)"$/m.exec(textOf('packages/sdk-python/pyproject.toml'))?.[1];
  return [
    ...manifests
      .filter(([, manifest]) => manifest.publishConfig.provenance && !manifest.repository?.url)
      .map(
        ([file]) =>
          `${file} has no "repository", and the registry refuses provenance (E422) unless it is the public repository that CI builds from: ` +
          `add {"type": "git", "url": "git+https://…"} there, or take "provenance" out of its publishConfig.`,
      ),
    ...manifests
      .filter(([, manifest]) => manifest.version !== version)
      .map(
        ([file, manifest]) =>
          `${file} has the version ${manifest.version}, the others ${version}: run "npx changeset version".`,
      ),
    ...((await hasReleasedSchema(version))
      ? []
      : [
          `${releasedFile(version)} is not the schema of this version: run "npm run release -- --schema" and commit what it wrote; where ${version} is out already, "npx changeset version" first.`,
        ]),
    ...(python === version
      ? []
      : [
          `packages/sdk-python/pyproject.toml has the version ${python}, the packages ${version}: set it there and in src/svc/__init__.py.`,
        ]),
  ];
}

/** Runs the tests that install and use the packages. */
async function dryRun() {
  // The pattern comes first, because --selectProjects takes all that follows it.
  const jest = ['scripts/test.mjs', 'projects/packages.test', '--selectProjects', 'standalone'];
  const npm = await inForeground(process.execPath, jest, { cwd: root });
  const { code: python, output } = await pytest('tests/test_package.py');
  console.log(output.trim());
  return npm === 0 && python === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--schema')) {
    await saveSchema();
    process.exit(0);
  }
  const found = await obstacles();
  for (const one of found) console.error(`Not published: ${one}`);
  if (process.argv.includes('--dry-run')) process.exitCode = await dryRun();
  else if (found.length > 0) process.exitCode = 1;
  else if (!process.argv.includes('--check')) {
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
    for (const name of PACKAGES)
      execFileSync('npm', ['run', 'sbom', '--', `packages/${name}/dist`, `@svc/${name}`], {
        cwd: root,
        stdio: 'inherit',
      });
    execFileSync('npm', ['exec', '--', 'changeset', 'publish'], { cwd: root, stdio: 'inherit' });
  }
}
