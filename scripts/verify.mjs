// npm run verify [CHECK …]: every check of the sources besides the tests. Two checks run at a time; each
// prints one line, and its findings if it fails.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './bootstrap/stamp.mjs';

const node = process.execPath;
const tool = (file, ...args) => [node, [join(root, 'node_modules', file), ...args]];
const script = (file, ...args) => [
  node,
  ['--import', './scripts/typescript.mjs', '--conditions=@svc/source', join(root, 'scripts', file), ...args],
];
/** The program of each check by name. */
const checks = {
  // All packages with their tests as one program, which takes a quarter of the time that one for each takes. The console
  // is written for browsers.
  types: tool('typescript/bin/tsc', '-p', 'tsconfig.types.json'),
  'types-of-console': tool('typescript/bin/tsc', '-p', 'packages/console/tsconfig.json'),
  lint: tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
  boundaries: tool(
    'dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'packages',
    'apps',
  ),
  unused: tool('knip/bin/knip.js', '--no-progress', '--no-config-hints'),
  licences: script('licences.mjs'),
  vulnerabilities: script('vulnerabilities.mjs'),
  'regular-expressions': script('regular-expressions.mjs'),
  schema: script('schema/check.mjs'),
  prose: script('check-prose.ts'),
  rules: script('check-rules.ts'),
  sql: script('check-sql.ts'),
  generated: script('generate.mjs', '--check'),
};

const selected = process.argv.slice(2);
const queue = Object.keys(checks).filter(
  (name) => selected.length === 0 || selected.some((part) => name.startsWith(part)),
);
if (queue.length === 0) {
  console.error(`There is no check "${selected.join(' ')}". The checks are: ${Object.keys(checks).join(', ')}.`);
  process.exit(1);
}
const total = queue.length;
const failed = [];
const unchecked = [];
await Promise.all([worker(), worker()]);
const passed = total - unchecked.length;
console.log(
  failed.length === 0 ? `${passed} checks hold.` : `${failed.length} of ${total} checks failed: ${failed.join(', ')}.`,
);
if (unchecked.length > 0) console.log(`Not checked: ${unchecked.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function worker() {
  for (let name = queue.shift(); name; name = queue.shift()) {
    const started = performance.now();
    const { code, output } = await run(...checks[name]);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const missing = /^not checked: .*$/m.exec(output)?.[0];
    if (code === 0 && missing !== undefined) unchecked.push(name);
    console.log(
      `${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)${missing === undefined ? '' : ` ${missing}`}`,
    );
    if (code === 0) continue;
    failed.push(name);
    console.log(output.trim());
  }
}

function run(program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
}
