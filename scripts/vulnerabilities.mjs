// `npm run verify vulnerabilities`: no package that runs in production has a known vulnerability that is high or critical. If no
// registry answers, the check says so and doesn't fail: the network isn't a finding.
import { execFile } from 'node:child_process';
import { pnpm } from './bootstrap/run.mjs';
import { root } from './bootstrap/stamp.mjs';

const SERIOUS = new Set(['high', 'critical']);
const TIMEOUT_MS = 60_000;

/** The output of a program, whatever its exit code: pnpm audit fails if it finds something. */
function outputOf([program, args]) {
  return new Promise((done) => {
    const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, timeout: TIMEOUT_MS };
    execFile(program, args, options, (_, stdout) => done(stdout));
  });
}

function reportOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { error: { message: 'no response' } };
  }
}

const { advisories, error } = reportOf(await outputOf(pnpm('audit', '--prod', '--json')));
if (advisories === undefined) {
  const reason = error?.code ?? error?.message ?? 'no response';
  console.log(`skipped: no registry reports vulnerabilities here (${reason})`);
} else {
  const serious = Object.values(advisories).filter(({ severity }) => SERIOUS.has(severity));
  for (const { module_name, title, url, severity, patched_versions } of serious)
    console.log(`${module_name}: ${title} (${severity}), fixed in ${patched_versions}: ${url}`);
  if (serious.length > 0) process.exitCode = 1;
}
