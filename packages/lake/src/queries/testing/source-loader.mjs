import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// Compiled once per content: loading the compiler would be most of a child's start.
const cache = path.join(tmpdir(), 'svc-source-cache');

async function compile(source) {
  const { transform } = await import('@swc/core');
  const options = { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } };
  return (await transform(source, { ...options, swcrc: false, configFile: false })).code;
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  const kept = path.join(cache, `${createHash('sha256').update(source).digest('hex')}.mjs`);
  let code = await readFile(kept, 'utf8').catch(() => null);
  if (code === null) {
    code = await compile(source);
    await mkdir(cache, { recursive: true });
    await writeFile(`${kept}.${process.pid}`, code);
    await rename(`${kept}.${process.pid}`, kept);
  }
  return { format: 'module', shortCircuit: true, source: code };
}
