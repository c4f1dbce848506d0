import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNamedCommand, parseCommandLine, splitCommandLine } from '../testing/command-lines.ts';

// The program accepts every command line in the documentation.
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((file) => `docs/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.md') && !/^docs\/(reference|decisions)\//.test(file));
const READMES = [
  'README.md',
  'packages/cli/README.md',
  'examples/bird-strikes/README.md',
  'packages/cli/project/sql/README.md',
];
const FILES = [...docs, ...READMES];

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
  const unknownCommands: string[] = [];
  for (const { line, text } of whole) {
    await parseCommandLine(splitCommandLine(text)).catch((error: Error) =>
      unknownCommands.push(`${file}:${line}: ${text}: ${error.message}`),
    );
  }
  for (const { line, text } of inline) {
    const args = splitCommandLine(text.replace(/[[\]()|]/g, ' '));
    const command = await findNamedCommand(args);
    // `svc job` alone is a topic, `svc cron next|list` is a choice.
    if (command === null && args.length > 1 && !args[1]!.startsWith('-'))
      unknownCommands.push(`${file}:${line}: svc ${text}`);
    const unknown = args.filter((arg) => /^--?[a-z]/.test(arg) && !command?.options.includes(arg.split('=')[0]!));
    if (command !== null && unknown.length > 0)
      unknownCommands.push(`${file}:${line}: svc ${text}: ${unknown.join(' ')}`);
  }
  expect(unknownCommands).toEqual([]);
});
