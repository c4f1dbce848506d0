import { readFileSync } from 'node:fs';
import { SvcCommand } from './command.ts';
import { COMMANDS, type CommandClass } from './commands.ts';
import { commandHelp } from './help.ts';
import { readLine, wordsOf } from './testing/command-lines.ts';

/** What the specification and the interface page name of a command; words and options are separated by spaces. */
interface Specified {
  /** Section of the specification, or `interface`. */
  from: string;
  /** Words in order, optional ones in brackets. */
  args?: string;
  options?: string;
  /** Those options without which the command is a usage error. */
  required?: string;
}

/** Commands beyond what is specified. */
const ADDED = ['auth password', 'completion', 'logout'];

const file = new URL('../specified/commands.json', import.meta.url);
const specified = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Specified>;
const named = (text = '') => text.split(' ').filter(Boolean);

interface FlagInfo {
  required?: boolean;
  allowNo?: boolean;
  char?: string;
}
const flagsOf = (Class: CommandClass) =>
  ({ ...SvcCommand.baseFlags, ...Class.flags }) as unknown as Record<string, FlagInfo>;

async function load(id: string): Promise<CommandClass> {
  const { default: Class } = (await COMMANDS[id]?.()) ?? {};
  if (Class === undefined) throw new Error(`There is no command ${id}.`);
  Class.id = id;
  return Class;
}

function optionsOf(Class: CommandClass): string[] {
  return Object.entries(flagsOf(Class)).flatMap(([name, { allowNo }]) => [
    `--${name}`,
    ...(allowNo ? [`--no-${name}`] : []),
  ]);
}

describe.each(Object.entries(specified))('svc %s', (id, { args, options, required }) => {
  test('takes the words and options that are specified', async () => {
    const Class = await load(id);
    const words = Object.entries(Class.args as Record<string, FlagInfo>);
    const shown = words.map(([name, arg]) => (arg.required ? name.toUpperCase() : `[${name.toUpperCase()}]`));
    expect(shown).toEqual(named(args));
    expect(optionsOf(Class)).toEqual(expect.arrayContaining(named(options)));
    const needed = Object.entries(flagsOf(Class)).filter(([, flag]) => flag.required);
    expect(needed.map(([name]) => `--${name}`)).toEqual(expect.arrayContaining(named(required)));
  });
});

test('every command there is has been specified, or stands on top of what is', () => {
  const more = Object.keys(COMMANDS).filter((id) => !(id in specified));
  expect(more.filter((id) => !ADDED.includes(id))).toEqual([]);
});

describe.each(Object.keys(COMMANDS))('svc %s', (id) => {
  test('tells its options in its help, and has an example that it takes', async () => {
    const Class = await load(id);
    const help = commandHelp(Class);
    const hidden = ['--service-url'];
    for (const name of Object.keys(flagsOf(Class)).map((flag) => `--${flag}`)) {
      if (!hidden.includes(name)) expect(help).toContain(name);
    }
    const examples = Class.examples as string[];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const [program, ...words] = wordsOf(example.replace(/^.* \| /, ''));
      expect([program, await readLine(words)]).toEqual(['svc', id]);
    }
  });
});

test('an option that may be repeated takes one value each, so that words may follow it', async () => {
  for (const id of Object.keys(COMMANDS)) {
    const Class = await load(id);
    if (Object.keys(Class.args).length === 0) continue;
    const greedy = Object.entries(
      (Class.flags ?? {}) as Record<string, { multiple?: boolean; multipleNonGreedy?: boolean }>,
    )
      .filter(([, flag]) => flag.multiple && !flag.multipleNonGreedy)
      .map(([name]) => name);
    expect({ id, greedy }).toEqual({ id, greedy: [] });
  }
});
