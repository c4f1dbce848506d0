// The advisories of the registry about npm packages.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import bundleCommandLine from '../../packages/cli/build.mjs';
import { pnpm } from '../bootstrap/run.mjs';
import { root } from '../bootstrap/stamp.mjs';

const SERIOUS = new Set(['high', 'critical']);
const SEVERITIES = new Set(['info', 'low', 'moderate', ...SERIOUS]);
const TIMEOUT_MS = 60_000;
/** The registry could not be reached, is out of order or overloaded, or has no advisories: most proxies of registries don't. */
const UNREACHABLE = /^(E[A-Z_]*(CONN|TIMEDOUT|TIMEOUT|NOTFOUND|AGAIN|UNREACH)[A-Z_]*|ERR_SOCKET_TIMEOUT)$/;
const NO_ADVISORIES = /responded with (404|405|429|5\d\d)/;

/** The output of pnpm, whatever its exit code: pnpm audit fails if it finds something. */
function outputOf(...args) {
  const [program, all] = pnpm(...args);
  return new Promise((done, failed) => {
    const options = { cwd: root, maxBuffer: 256 * 1024 * 1024, timeout: TIMEOUT_MS };
    execFile(program, all, options, (error, stdout) => {
      if (error?.killed) failed(new Error(`pnpm ${args[0]} took longer than ${TIMEOUT_MS / 1000} seconds.`));
      else done(stdout);
    });
  });
}

/** Returns the advisories of the registry, or the reason why it has none. */
function readReport(text) {
  const report = JSON.parse(text);
  const { error, advisories } = report;
  if (error !== undefined) {
    const reason = `${error.code}: ${error.message}`;
    if (UNREACHABLE.test(error.code) || NO_ADVISORIES.test(error.message)) return { unchecked: reason };
    throw new Error(`The registry reported an error. ${reason}`);
  }
  const isKnown = ({ module_name, severity, findings }) =>
    typeof module_name === 'string' && SEVERITIES.has(severity) && Array.isArray(findings);
  if (typeof advisories !== 'object' || advisories === null || !Object.values(advisories).every(isKnown))
    throw new Error(`The response of the registry has an unknown form: ${text.slice(0, 500)}`);
  return { advisories: Object.values(advisories) };
}

/** What runs in production or is bundled, as `name@version`. */
export async function shippedPackages() {
  const listed = Object.values(JSON.parse(await outputOf('licenses', 'list', '--json', '--prod'))).flat();
  if (listed.length === 0) throw new Error('pnpm lists no packages for production.');
  const production = listed.flatMap(({ name, versions }) => versions.map((version) => `${name}@${version}`));
  return new Set([...production, ...(await bundleCommandLine(join(root, 'node_modules/.cache/svc/command-line')))]);
}

/**
 * The high and critical advisories about shipped packages, as texts, or the reason why they can't be looked up.
 * @throws Error if the response isn't understood
 */
export async function npmAdvisories(shipped) {
  const { advisories, unchecked } = readReport(await outputOf('audit', '--json'));
  if (unchecked !== undefined) return { unchecked };
  const found = advisories.filter(
    ({ severity, module_name, findings }) =>
      SERIOUS.has(severity) && findings.some(({ version }) => shipped.has(`${module_name}@${version}`)),
  );
  return {
    found: found.map(
      ({ module_name, title, url, severity, patched_versions }) =>
        `${module_name}: ${title} (${severity}), fixed in ${patched_versions}: ${url}`,
    ),
  };
}
