// The drivers of Go.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { TOKEN } from '../service.mjs';

const program = fileURLToPath(new URL('./go', import.meta.url));

export function go(port) {
  if (spawnSync('go', ['version']).status !== 0) {
    console.log('Go did not run: it is not installed');
    return 0;
  }
  return spawnSync('go', ['run', '.', String(port), TOKEN], { cwd: program, stdio: 'inherit' }).status ?? 1;
}
