// Child processes of the bootstrap.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stamp.mjs';

/** An error whose message says everything a person needs. */
export function expected(message) {
  return Object.assign(new Error(message), { expected: true });
}

/** Runs a program quietly; when it fails, the error carries what it printed. */
export function quietly(what, program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', (error) => reject(expected(`${what} failed: ${error.message}`)));
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(expected(`${output.trim()}\n${what} failed; what it printed stands above.`));
    });
  });
}

/** Runs a program in the foreground and returns its exit code. Ctrl-C and SIGTERM are its to handle. */
export function inForeground(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, ...options, stdio: 'inherit' });
    // A terminal sends Ctrl-C to the child by itself; a signal sent to this process alone is passed on.
    const forward = (signal) => child.kill(signal);
    const ignore = () => {};
    process.on('SIGINT', ignore).on('SIGTERM', forward).on('SIGHUP', forward);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      process.off('SIGINT', ignore).off('SIGTERM', forward).off('SIGHUP', forward);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 1));
    });
  });
}

/** Program and arguments that run the pinned pnpm, which need not be installed. */
export function pnpm(...args) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  return [npx, ['-y', '-p', packageManager, 'pnpm', ...args]];
}
