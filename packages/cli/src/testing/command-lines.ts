import { parse } from '@oclif/core/parser';
import { moveGlobalsLast } from '../arguments/global-options.ts';
import { findCommand } from '../oclif/find-command.ts';
import { loadCommand } from '../oclif/plugin.ts';
import { SvcCommand } from '../svc-command.ts';

const WORD = /'([^']*)'|"([^"]*)"|(\S+)/g;

/** Splits a command line like a shell and drops comments, pipes and redirections. */
export function splitCommandLine(line: string): string[] {
  // Documents may show two sessions side by side.
  const args = [...line.replace(/ {3,}\$ .*/, '').matchAll(WORD)].map((found) => ({
    text: found[1] ?? found[2] ?? found[3] ?? '',
    bare: found[3],
  }));
  const end = args.findIndex(({ bare }) => bare !== undefined && /^(#.*|[|<>;]|2>.*|&&|<\(.*)$/.test(bare));
  return (end === -1 ? args : args.slice(0, end)).map(({ text }) => text.replace(/;$/, ''));
}

/** Finds the command of the arguments (without `svc`) and its options; null for an unknown command. */
export async function findNamedCommand(args: readonly string[]) {
  const found = findCommand(moveGlobalsLast(args));
  if (found === null) return null;
  const Class = await loadCommand(found.id);
  const flags = { ...SvcCommand.baseFlags, ...Class.flags } as Record<string, { char?: string; allowNo?: boolean }>;
  const options = Object.entries(flags).flatMap(([name, { char, allowNo }]) => [
    `--${name}`,
    ...(allowNo ? [`--no-${name}`] : []),
    ...(char === undefined ? [] : [`-${char}`]),
  ]);
  return { ...found, Class, flags, options: [...options, '--help', '-h'] };
}

/** Parses the arguments with their command and returns its id. @throws the error of the parser */
export async function parseCommandLine(args: readonly string[]): Promise<string> {
  const named = await findNamedCommand(args);
  if (named === null) throw new Error(`There is no command svc ${args.join(' ')}.`);
  await parse(named.rest, { args: named.Class.args as never, flags: named.flags as never, strict: true });
  return named.id;
}
