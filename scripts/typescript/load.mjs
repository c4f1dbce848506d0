import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compiledFiles, saveCompiled } from './cache.mjs';

const options = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'es6' },
  sourceMaps: true,
  swcrc: false,
  configFile: false,
};

/** Module hook: erases the types of `.ts` files. */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const file = fileURLToPath(url);
  const source = readFileSync(file, 'utf8');
  const compiled = compiledFiles(file, source);
  return {
    format: 'module',
    source: readCompiled(compiled) ?? (await compile(file, source, compiled)),
    shortCircuit: true,
  };
}

function readCompiled({ code }) {
  try {
    return readFileSync(code, 'utf8');
  } catch {
    return null;
  }
}

async function compile(file, source, compiled) {
  // Loading the compiler would be most of the start of a process whose modules are all cached.
  const { transform } = await import('@swc/core');
  const { code, map } = await transform(source, { ...options, filename: file });
  const linked = `${code}\n//# sourceMappingURL=${pathToFileURL(compiled.map)}\n`;
  saveCompiled(compiled.map, map);
  saveCompiled(compiled.code, linked);
  return linked;
}
