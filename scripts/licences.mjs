// `npm run verify licences`: everything that runs in production or is bundled into the command line has
// a licence of this list.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pnpm } from './bootstrap/run.mjs';
import { root } from './bootstrap/stamp.mjs';

const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
]);

const run = promisify(execFile);
const trees = { production: ['--prod'], 'the command line': ['--filter', '@svc/cli'] };

/** Whether an SPDX expression can be satisfied with allowed licences only; exceptions (WITH) and free text don't pass. */
function allowed(expression) {
  const parts = expression.replace(/[()]/g, ' ').trim().split(/\s+/);
  if (expression.includes('(') && parts.includes('AND') && parts.includes('OR')) return false;
  const choices = parts.join(' ').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((licence) => ALLOWED.has(licence)));
}

for (const [tree, options] of Object.entries(trees)) {
  const [program, args] = pnpm('licenses', 'list', '--json', ...options);
  const { stdout } = await run(program, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  const listed = JSON.parse(stdout);
  if (Object.values(listed).flat().length === 0) throw new Error(`pnpm lists no packages for ${tree}.`);
  for (const [licence, packages] of Object.entries(listed)) {
    if (allowed(licence)) continue;
    process.exitCode = 1;
    for (const { name, versions } of packages) {
      console.log(`${name} ${versions.join(', ')} in ${tree} is under ${licence}, which is not on the list.`);
    }
  }
}
if (process.exitCode === 1) {
  console.log(
    'Find what brings it with pnpm why NAME --prod -r. Use another package, or add a permissive licence to scripts/licences.mjs.',
  );
}
