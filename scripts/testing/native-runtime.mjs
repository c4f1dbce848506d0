// Jest's runtime, on Node's own module loader (with scripts/typescript.mjs). Jest's loader evaluates every module again
// for every test file, which took half of the tests' time; here the test files of a worker share their modules.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compiledFiles } from '../typescript/cache.mjs';

const require = createRequire(import.meta.url);

/** Finds the source map of a TypeScript module when a stack trace needs it. */
class SourceMaps extends Map {
  get(url) {
    if (!super.has(url)) super.set(url, findSourceMap(url));
    return super.get(url);
  }
}

function findSourceMap(url) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return '';
  const file = fileURLToPath(url);
  return compiledFiles(file, readFileSync(file, 'utf8')).map;
}

const sourceMaps = new SourceMaps();

export default class NativeRuntime {
  /** Loads a module of Jest that keeps the tests of one file. */
  requireInternalModule(file) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    delete require.cache[file];
    return require(file);
  }

  requireModule(file) {
    return require(file);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(file) {
    return import(pathToFileURL(file).href);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return null;
  }

  setGlobalsForRuntime() {}

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {}
}
