import { readFileSync } from 'node:fs';
import { SvcHelp } from '../oclif/help.ts';
import { loadConfig } from '../oclif/load-config.ts';
import { COMMAND_IDS, COMMANDS, type CommandClass, loadCommand } from '../oclif/plugin.ts';
import { SvcCommand } from '../svc-command.ts';
import type { Io } from '../terminal/io.ts';
import { parseCommandLine, splitCommandLine } from '../testing/command-lines.ts';

/** What the specification and the interface page require of a command; entries are separated by spaces. */
interface Specified {
  /** Section of the specification, or `interface`. */
  from: string;
  /** Arguments in order, optional ones in brackets. */
  args?: string;
  options?: string;
  /** Options without which the command fails with a usage error. */
  required?: string;
}

/** Commands that are not specified. */
const ADDED = [
  'table alter',
  'table clone',
  'table rename',
  'table truncate',
  'api',
  'auth password',
  'completion',
  'dev',
  'env summary',
  'identity-provider create',
  'identity-provider delete',
  'identity-provider list',
  'identity-provider show',
  'identity-provider update',
  'init',
  'lineage',
  'principal link',
  'principal remove-second-factors',
  'principal set-password',
  'principal show',
  'principal unlink',
  'principal update',
  'runs timeline',
  'logout',
  'search',
  'second-factor add',
  'second-factor delete',
  'second-factor list',
  'second-factor recovery-codes',
  'second-factor rename',
  'sql connect',
  'write rejected',
];

const file = new URL('../../specified/commands.json', import.meta.url);
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
  if (!(id in COMMANDS)) throw new Error(`Unknown command ${id}.`);
  return loadCommand(id);
}

function optionsOf(Class: CommandClass): string[] {
  return Object.entries(flagsOf(Class)).flatMap(([name, { allowNo }]) => [
    `--${name}`,
    ...(allowNo ? [`--no-${name}`] : []),
  ]);
}

describe.each(Object.entries(specified))('svc %s', (id, { args, options, required }) => {
  test('accepts the specified arguments and options', async () => {
    const Class = await load(id);
    const positionals = Object.entries(Class.args as Record<string, FlagInfo>);
    const visible = positionals.map(([name, arg]) => (arg.required ? name.toUpperCase() : `[${name.toUpperCase()}]`));
    expect(visible).toEqual(named(args));
    expect(optionsOf(Class)).toEqual(expect.arrayContaining(named(options)));
    const mandatory = Object.entries(flagsOf(Class)).filter(([, flag]) => flag.required);
    expect(mandatory.map(([name]) => `--${name}`)).toEqual(expect.arrayContaining(named(required)));
  });
});

test('every command is specified or listed as added', () => {
  const more = COMMAND_IDS.filter((id) => !(id in specified));
  expect(more.filter((id) => !ADDED.includes(id))).toEqual([]);
});

describe.each(COMMAND_IDS)('svc %s', (id) => {
  test('describes its options in its help and accepts its examples', async () => {
    const Class = await load(id);
    const help = await new SvcHelp(await loadConfig({ env: {} } as Io)).commandText(id);
    const hidden = ['--service-url', '--format'];
    for (const name of Object.keys(flagsOf(Class)).map((flag) => `--${flag}`)) {
      if (!hidden.includes(name)) expect(help).toContain(name);
    }
    const examples = Class.examples as string[];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const [program, ...positionals] = splitCommandLine(example.replace(/^.* \| /, ''));
      expect([program, await parseCommandLine(positionals)]).toEqual(['svc', id]);
    }
  });
});

test('a repeatable option takes one value each time, so that arguments can follow it', async () => {
  for (const id of COMMAND_IDS) {
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
