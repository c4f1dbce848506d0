// Generates the blocking client of the Python module from the asynchronous one.
import { readdirSync, readFileSync } from 'node:fs';

const source = new URL('../../packages/sdk-python/src/svc/_aio/', import.meta.url);

/** Applied in this order; each is a whole Python word. */
const REPLACEMENTS = [
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAsync(Iterator|Client|Connections|Transport|BaseTransport|Result|Relation)\b/g, (_, name) => name],
  [/\bAwaitable\[(\w+)\]/g, '$1'],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\b__aenter__\b/g, '__enter__'],
  [/\b__aexit__\b/g, '__exit__'],
  [/\ba(close|read|iter_bytes|iter_lines)\b/g, '$1'],
  [/\basyncio\b/g, 'time'],
  [/\bsvc\._aio\b/g, 'svc._sync'],
];

function blocking(text) {
  const body = REPLACEMENTS.reduce((written, [word, other]) => written.replace(word, other), text)
    // Imports that only the asynchronous form needs.
    .replace(/^(from collections\.abc import .*)$/m, (line) => line.replace(/\bAwaitable, |, Awaitable\b/, ''));
  return `# Written out of svc/_aio by "npm run generate". Do not edit.\n${body}`;
}

/** Written in both forms, because they differ in more than words. */
const HAND_WRITTEN = ['result.py'];

const files = readdirSync(source, { recursive: true }).filter(
  (file) => file.endsWith('.py') && !HAND_WRITTEN.includes(file),
);
export default files.map((file) => ({
  file: `packages/sdk-python/src/svc/_sync/${file}`,
  generate: () =>
    file === '__init__.py'
      ? '"""The blocking client, written out of ``_aio`` by ``npm run generate``: change it there."""\n'
      : blocking(readFileSync(new URL(file, source), 'utf8')),
}));
