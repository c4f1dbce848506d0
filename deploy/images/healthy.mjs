// Health of a container: a server answers at the address; without one, the worker's process is there and not stopped.
import { readFileSync } from 'node:fs';

const [url] = process.argv.slice(2);
if (url === undefined) {
  const state = readFileSync('/proc/1/status', 'utf8').match(/^State:\s+(\w)/m)?.[1];
  process.exit(state === 'R' || state === 'S' || state === 'D' ? 0 : 1);
}
const { ok } = await fetch(url, { signal: AbortSignal.timeout(2_500) }).catch(() => ({ ok: false }));
process.exit(ok ? 0 : 1);
