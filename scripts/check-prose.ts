// `npm run verify prose`: texts, comments and names don't use the words that scripts/prose/words.ts replaces. Prints each with
// what to write instead. `node --import ./scripts/typescript.mjs scripts/check-prose.ts FOLDER …` checks folders that are still
// to be rewritten; `--count` prints their numbers.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXTENSIONS, type Name, proseOf } from './prose/prose-of.ts';
import { EXCEPTIONS, isGenerated } from './prose/scope.ts';
import { TYPE_SUFFIXES, WORDS } from './prose/words.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = process.argv.slice(2).filter((text) => !text.startsWith('--'));
const isSelected = (file: string) => folders.length === 0 || folders.some((folder) => file.startsWith(folder));

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => EXTENSIONS.some((extension) => file.endsWith(extension)) && !isGenerated(file) && isSelected(file));

const found: string[] = [];
for (const file of files) {
  const { passages, names } = proseOf(file, readFileSync(join(root, file), 'utf8'));
  const report = (line: number, part: string, write: string) => found.push(`${file}:${line} "${part}": write ${write}`);
  for (const { line, text } of passages)
    for (const { texts, write } of WORDS) {
      const match = texts && [...text.matchAll(new RegExp(texts, 'gi'))].find((one) => !isException(text, one));
      if (match) report(line, match[0].trim(), write);
    }
  for (const name of names) {
    // Names of the wire and the database.
    if (/^[a-z]+(?:_[a-z]+)+$/.test(name.text)) continue;
    const parts = partsToCheck(name);
    if (hasWrongSuffix(name)) report(name.line, name.text, TYPE_SUFFIXES.write);
    for (const { identifiers = [], write } of WORDS)
      if (identifiers.some((part) => parts.includes(part))) report(name.line, name.text, write);
  }
}
if (process.argv.includes('--count')) console.log(`${found.length} in ${files.length} files`);
else if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}

/** Whether the match lies inside a phrase in which the word is right. */
function isException(text: string, { index, 0: match }: RegExpExecArray): boolean {
  const phrases = EXCEPTIONS.flatMap(({ phrases = [] }) => phrases);
  return phrases.some((phrase) => {
    for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1))
      if (at <= index && index + match.length <= at + phrase.length) return true;
    return false;
  });
}

function hasWrongSuffix({ kind, text }: Name): boolean {
  if (EXCEPTIONS.some(({ types = [] }) => types.includes(text))) return false;
  return (
    (kind === 'error' && !text.endsWith('Error')) ||
    (kind !== 'other' && kind !== 'property' && TYPE_SUFFIXES.pattern.test(text))
  );
}

/** The parts of an identifier in lower case, except those in which a listed word is right. */
function partsToCheck({ text, kind }: Name): string[] {
  if (kind === 'property' && EXCEPTIONS.some(({ fields = [] }) => fields.includes(text))) return [];
  const rest = EXCEPTIONS.reduce((left, { names }) => (names ? left.replace(names, '_') : left), text);
  return rest.split(/(?=[A-Z][a-z])|_|(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase());
}
