// Child processes of the bootstrap.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { root } from './stamp.mjs';

/** An error whose message is sufficient for the user. */
export function expected(message) {
  return Object.assign(new Error(message), { expected: true });
}

/**
 * Runs a program without showing its output; if it fails, the error contains the output. A signal that stops this process
 * stops the program and all processes that it started.
 */
export function quietly(what, program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const release = onSignals((signal) => {
      release();
      signalGroup(child, signal);
      process.kill(process.pid, signal);
    });
    const failed = (message) => reject(Object.assign(expected(message), { output }));
    child.on('error', (error) => {
      release();
      failed(`${what} failed: ${error.message}`);
    });
    child.on('close', (code) => {
      release();
      if (code === 0) resolve(output);
      else failed(`${output.trim()}\n${what} failed; see its output above.`);
    });
  });
}

/** Runs a program in the foreground and returns its exit code. Signals are passed on, so that the program can clean up. */
export function inForeground(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, ...options, stdio: 'inherit' });
    // A terminal sends Ctrl-C to the child too; any other signal reaches only this process.
    const release = onSignals((signal) => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
    child.on('error', (error) => {
      release();
      reject(error);
    });
    child.on('exit', (code, signal) => {
      release();
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function onSignals(handle) {
  for (const signal of SIGNALS) process.on(signal, handle);
  return () => {
    for (const signal of SIGNALS) process.off(signal, handle);
  };
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has exited, or this system has no process groups.
    child.kill(signal);
  }
}

/** Program and arguments that run the pinned pnpm, which needn't be installed. */
export function pnpm(...args) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  return [npx, ['-y', '-p', packageManager, 'pnpm', ...args]];
}
