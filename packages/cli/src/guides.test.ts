import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNamedCommand, parseCommandLine, splitCommandLine } from './testing/command-lines.ts';

// The program accepts every command line in the documentation.
const root = fileURLToPath(new URL('../../../', import.meta.url));
const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((file) => `docs/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.md') && !/^docs\/(reference|decisions)\//.test(file));
const FILES = [...docs, 'README.md', 'packages/cli/README.md', 'examples/bird-strikes/README.md'];

interface Shown {
  line: number;
  text: string;
}

/** Lines of shell blocks and sessions that start with the program; continuation lines are joined. */
function commandsIn(file: string): { whole: Shown[]; inline: Shown[] } {
  const whole: Shown[] = [];
  const inline: Shown[] = [];
  let fence: string | null = null;
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.trimStart().startsWith('```')) {
      fence = fence === null ? line.trim() : null;
      continue;
    }
    if (fence === null) {
      for (const [, text = ''] of line.matchAll(/`svc ([a-z][^`]*)`/g)) inline.push({ line: at + 1, text });
      continue;
    }
    let text = line;
    while (text.endsWith('\\') && at + 1 < lines.length) text = `${text.slice(0, -1)} ${lines[++at]!.trim()}`;
    const found = /^\s*(?:\$ )?(?:[^#'"]*\| *)?svc ([a-z].*)$/.exec(text);
    // Sentences may also start with the name.
    const isShell = /^```(sh|console)/.test(fence) || text.trimStart().startsWith('$');
    if (found !== null && isShell && !text.includes('…')) whole.push({ line: at + 1, text: found[1]! });
  }
  return { whole, inline };
}

test.each(FILES)('%s shows valid commands', async (file) => {
  const { whole, inline } = commandsIn(file);
  const wrong: string[] = [];
  for (const { line, text } of whole) {
    await parseCommandLine(splitCommandLine(text)).catch((error: Error) =>
      wrong.push(`${file}:${line}: ${text}: ${error.message}`),
    );
  }
  for (const { line, text } of inline) {
    const words = splitCommandLine(text.replace(/[[\]()|]/g, ' '));
    const named = await findNamedCommand(words);
    // `svc job` alone is a topic, `svc cron next|list` is a choice.
    if (named === null && words.length > 1 && !words[1]!.startsWith('-')) wrong.push(`${file}:${line}: svc ${text}`);
    const unknown = words.filter((word) => /^--?[a-z]/.test(word) && !named?.options.includes(word.split('=')[0]!));
    if (named !== null && unknown.length > 0) wrong.push(`${file}:${line}: svc ${text}: ${unknown.join(' ')}`);
  }
  expect(wrong).toEqual([]);
});
