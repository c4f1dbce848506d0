// node --import ./scripts/typescript.mjs --conditions=@svc/source FILE runs TypeScript sources directly, without a
// build: for generators of references and for child processes of tests.
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { transform } from '@swc/core';

if (isMainThread) register(import.meta.url);

const options = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** Module hook: erases the types of `.ts` files. */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transform(await readFile(new URL(url), 'utf8'), options);
  return { format: 'module', source: code, shortCircuit: true };
}
