// `npm run verify prose`: texts, comments and names don't use the words that scripts/prose/words.ts replaces. Prints each with
// what to write instead. `node --import ./scripts/typescript.mjs scripts/check-prose.ts FOLDER …` checks folders that are still
// to be rewritten; `--count` prints their numbers.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXTENSIONS, type Passage, proseOf } from './prose/prose-of.ts';
import { ALLOWED, isGenerated } from './prose/scope.ts';
import { WORDS } from './prose/words.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = process.argv.slice(2).filter((text) => !text.startsWith('--'));
const isSelected = (file: string) => folders.length === 0 || folders.some((folder) => file.startsWith(folder));

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => EXTENSIONS.some((extension) => file.endsWith(extension)) && !isGenerated(file) && isSelected(file));

const found: string[] = [];
for (const file of files) {
  const { passages, names } = proseOf(file, readFileSync(join(root, file), 'utf8'));
  const report = ({ line, text }: Passage, part: string, write: string) => {
    if (!ALLOWED.some((phrase) => text.includes(phrase) && phrase.toLowerCase().includes(part.toLowerCase())))
      found.push(`${file}:${line} "${part}": write ${write}`);
  };
  for (const passage of passages)
    for (const { texts, write } of WORDS) {
      const match = texts && new RegExp(texts, 'i').exec(passage.text);
      if (match) report(passage, match[0].trim(), write);
    }
  for (const name of names) {
    // Names of the wire and the database.
    if (/^[a-z]+(?:_[a-z]+)+$/.test(name.text)) continue;
    const parts = name.text.split(/(?=[A-Z][a-z])|_|(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase());
    for (const { identifiers = [], write } of WORDS)
      if (identifiers.some((part) => parts.includes(part))) report(name, name.text, write);
  }
}
if (process.argv.includes('--count')) console.log(`${found.length} in ${files.length} files`);
else if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
