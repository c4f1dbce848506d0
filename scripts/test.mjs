// npm test [-- JEST ARGUMENTS]: runs the TypeScript and the Python tests, and prints one line with the counts. With
// --long, runs the long forms (*.long.test.ts) instead. Also writes the counts to node_modules/.cache/svc/tests.json.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inForeground } from './bootstrap/run.mjs';
import { cache, root } from './bootstrap/stamp.mjs';
import { installBubblewrap } from './testing/bubblewrap.mjs';
import { withIdentityProviders } from './testing/identity-providers.mjs';
import { pytest } from './testing/pytest.mjs';
import { withS3Program } from './testing/s3-program.mjs';
import { withSeaweedFS } from './testing/seaweedfs.mjs';
import { withStorageEmulators } from './testing/storage-emulators.mjs';

const args = process.argv.slice(2);
const long = args.includes('--long');
// npm removes a "--" before arguments, other callers may leave it.
const jestArgs = args.filter((arg) => arg !== '--long' && arg !== '--');
mkdirSync(cache, { recursive: true });

// Arguments select TypeScript tests.
const python = !long && jestArgs.length === 0 ? pytest('tests') : null;
const runs = [await jest()];
if (python !== null) {
  // The Python tests run at the same time, so their output waits.
  const ran = await python;
  console.log(ran.output.trim());
  runs.push(ran);
}

const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
writeFileSync(join(cache, 'tests.json'), JSON.stringify(counts));
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exitCode = counts.failed > 0 || runs.some((run) => run.code !== 0) ? 1 : 0;

async function jest() {
  const report = join(cache, 'jest.json');
  rmSync(report, { force: true });
  const program = join(root, 'node_modules/jest/bin/jest.js');
  // An absolute path, because child processes in other folders may inherit it.
  const flags = [
    `--import=${join(root, 'scripts/typescript.mjs')}`,
    '--conditions=@svc/source',
    '--disable-warning=ExperimentalWarning',
    program,
  ];
  // A process loads a module only once, so repeated runs need new workers: with this limit, Jest always uses some.
  if (jestArgs.some((arg) => arg.startsWith('--watch'))) flags.push('--workerIdleMemoryLimit=4GB');
  // Arguments select a few tests, which may not need these programs.
  let all = jestArgs.length === 0 ? await withS3Program(process.env) : process.env;
  const selects = (path) => jestArgs.length === 0 || jestArgs.some((arg) => path.includes(arg));
  if (long && selects('packages/api/src/identity-providers/other-providers')) all = await withIdentityProviders(all);
  if (long && selects('packages/lake/src/storage/token-service')) all = await withSeaweedFS(all);
  // CI also runs the tests of a single bucket, the long tests a whole service.
  if (jestArgs.length === 0) all = await withStorageEmulators(all, { install: long || Boolean(process.env.CI) });
  else if (long && selects('apps/standalone/src/tests/operations/other-buckets'))
    all = await withStorageEmulators(all, { install: true });
  if (jestArgs.length === 0) await installBubblewrap(process.env);
  const env = { ...all, ...(long && { TEST_LONG: '1' }) };
  const code = await inForeground(process.execPath, [...flags, '--json', `--outputFile=${report}`, ...jestArgs], {
    env,
  });
  const result = readJson(report);
  if (!result) return { code: code || 1, passed: 0, failed: 1, skipped: 0 };
  return {
    code,
    passed: result.numPassedTests,
    // A file that can't be loaded has no tests to count.
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}
