import { readFileSync } from 'node:fs';
import { readSettings } from '@svc/core/settings';
import { readPid } from './background.ts';

const POLL_MS = 100;
const TIMEOUT_MS = 30_000;

/** `npm run stop`: stops the service that runs on this home folder, wherever it was started. */
async function main(): Promise<void> {
  const settings = readSettings(process.env, (path) => readFileSync(path, 'utf8'));
  const pid = readPid(settings);
  if (pid === null) {
    process.stdout.write(`No service is running in ${settings.home}.\n`);
    return;
  }
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + TIMEOUT_MS;
  while (readPid(settings) !== null) {
    if (performance.now() > deadline) throw new Error(`process ${pid} is still running after ${TIMEOUT_MS / 1000} s`);
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  process.stdout.write('The service has stopped. Its data remains.\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`Stopping failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
