// `npm run verify vulnerabilities`: no package that runs in production, is bundled into the command line or is part of the worker's Python has
// a known vulnerability that is high or critical. A source that can't be reached or that has no advisories isn't a finding: the check then
// reports what it couldn't look up. It fails if it doesn't understand the response.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap/stamp.mjs';
import { npmAdvisories, shippedPackages } from './vulnerabilities/npm-advisories.mjs';
import { osvVulnerabilities } from './vulnerabilities/osv.mjs';

/** Packages of PyPI that images and workers install, with their versions. */
const PYTHON = ['scripts/bootstrap/uv-requirements.txt', 'packages/sdk-python/support-requirements.txt'];

function pythonPackages() {
  const pinned = PYTHON.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/^[\w.-]+==[^\s;\\]+/gm) ?? []);
  return pinned.map((text) => text.split('==')).map(([name, version]) => ({ ecosystem: 'PyPI', name, version }));
}

const shipped = await shippedPackages();
const npmPackages = [...shipped].map((text) => {
  const at = text.lastIndexOf('@');
  return { ecosystem: 'npm', name: text.slice(0, at), version: text.slice(at + 1) };
});
const sources = {
  'the advisories of the registry about npm packages': await npmAdvisories(shipped),
  'the vulnerabilities of npm and Python packages in OSV': await osvVulnerabilities([
    ...npmPackages,
    ...pythonPackages(),
  ]),
};
const unchecked = Object.entries(sources).filter(([, source]) => source.unchecked !== undefined);
if (unchecked.length > 0)
  console.log(`not checked: ${unchecked.map(([name, source]) => `${name} (${source.unchecked})`).join('; ')}`);
const found = Object.values(sources).flatMap((source) => source.found ?? []);
for (const text of found) console.log(text);
if (found.length > 0) process.exitCode = 1;
