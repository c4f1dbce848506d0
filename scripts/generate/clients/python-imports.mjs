// The imports of generated Python code, in the order that ruff requires.
import { readdirSync, readFileSync } from 'node:fs';
import { exploded, fits, usedNames } from './layout.mjs';

const source = new URL('../../../packages/sdk-python/src/svc/', import.meta.url);

/** The module of each record: the one that declares the class. */
function recordModules() {
  const files = readdirSync(source).filter((file) => /_models\.py$/.test(file));
  return files.map((file) => [
    `svc.${file.replace('.py', '')}`,
    [...readFileSync(new URL(file, source), 'utf8').matchAll(/^class (\w+)/gm)].map(([, name]) => name),
  ]);
}

const MODULES = [
  ['collections.abc', ['AsyncIterator', 'Sequence']],
  ['typing', ['Any']],
  ['svc._aio.resource', ['Resource']],
  ['svc._aio.waiting', ['until_ended']],
  ['svc._records', ['Page', 'read']],
  [
    'svc._requests',
    [
      'FilterValues',
      'day_or_moment',
      'environment_path',
      'exactly_one',
      'given',
      'glass',
      'known',
      'moment',
      'namespace_path',
      'segment',
      'table_path',
      'comma_separated',
    ],
  ],
];

export function importsOf(code) {
  const bare = code.replace(/"""[\s\S]*?"""/g, '');
  const plain = ['builtins', 'datetime'].filter((name) => bare.includes(`${name}.`)).map((name) => `import ${name}`);
  const from = [...MODULES, ...recordModules()]
    .map(([module, names]) => [module, usedNames(bare, names).sort()])
    .filter(([, names]) => names.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const text = ([module, names]) => {
    const line = `from ${module} import ${names.join(', ')}`;
    return fits(line) ? [line] : exploded(0, 4, `from ${module} import (`, names, ')');
  };
  const standard = [...plain, ...from.filter(([module]) => !module.startsWith('svc')).flatMap(text)];
  const own = from.filter(([module]) => module.startsWith('svc')).flatMap(text);
  return [...(standard.length > 0 ? [...standard, ''] : []), ...own];
}
