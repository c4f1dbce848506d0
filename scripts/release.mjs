// Publishes the packages, where nothing stands against it. `--check` only says what does.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = ['core', 'sdk', 'cli'];
const textOf = (file) => readFileSync(`${root}${file}`, 'utf8');

/** What stands against publishing: a sentence each, with what to do. */
export function obstacles() {
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
    ...(python === version
      ? []
      : [
          `packages/sdk-python/pyproject.toml has the version ${python}, the packages ${version}: set it there and in src/svc/__init__.py.`,
        ]),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = obstacles();
  for (const one of found) console.error(`Not published: ${one}`);
  if (found.length > 0) process.exitCode = 1;
  else if (!process.argv.includes('--check')) {
    for (const args of [
      ['run', 'build'],
      ['exec', '--', 'changeset', 'publish'],
    ])
      execFileSync('npm', args, { cwd: root, stdio: 'inherit' });
  }
}
