import { parse } from '@oclif/core/parser';
import { findCommand, globalsLast } from '../arguments/argv.ts';
import { SvcCommand } from '../command.ts';
import { COMMANDS } from '../commands.ts';

const WORD = /'([^']*)'|"([^"]*)"|(\S+)/g;

/** The words of a command line as a shell parts them: what follows a comment, pipe or redirection is left out. */
export function wordsOf(line: string): string[] {
  // Sessions may stand beside one another.
  const words = [...line.replace(/ {3,}\$ .*/, '').matchAll(WORD)].map((found) => ({
    text: found[1] ?? found[2] ?? found[3] ?? '',
    bare: found[3],
  }));
  const end = words.findIndex(({ bare }) => bare !== undefined && /^(#.*|[|<>;]|2>.*|&&|<\(.*)$/.test(bare));
  return (end === -1 ? words : words.slice(0, end)).map(({ text }) => text.replace(/;$/, ''));
}

/** The command that the words (without `svc`) name, and the options it knows by what is typed; null for none. */
export async function namedBy(words: readonly string[]) {
  const found = findCommand(globalsLast(words), Object.keys(COMMANDS));
  if (found === null) return null;
  const { default: Class } = await COMMANDS[found.id]!();
  const flags = { ...SvcCommand.baseFlags, ...Class.flags } as Record<string, { char?: string; allowNo?: boolean }>;
  const options = Object.entries(flags).flatMap(([name, { char, allowNo }]) => [
    `--${name}`,
    ...(allowNo ? [`--no-${name}`] : []),
    ...(char === undefined ? [] : [`-${char}`]),
  ]);
  return { ...found, Class, flags, options: [...options, '--help', '-h'] };
}

/** Has the command read its words and options. @throws what it says of a wrong line */
export async function readLine(words: readonly string[]): Promise<string> {
  const named = await namedBy(words);
  if (named === null) throw new Error(`There is no command svc ${words.join(' ')}.`);
  await parse(named.rest, { args: named.Class.args as never, flags: named.flags as never, strict: true });
  return named.id;
}
