import type { Command } from '@oclif/core/command';
import { CommandHelp, Help } from '@oclif/core/help';
import { globalFlags } from '../arguments/global-flags.ts';
import { widthOf } from '../terminal/io.ts';
import { COMMAND_GROUPS } from './command-groups.ts';
import { COMMAND_IDS, COMMANDS, type CommandClass, loadCommand } from './plugin.ts';
import type { SvcConfig } from './svc-config.ts';
import { SYNONYMS } from './verb-aliases.ts';

/** Maximum line width, also used without a terminal. */
const WIDEST = 100;
const NARROWEST = 40;

type Row = [left: string, right: string | undefined];

/** oclif's help in the layout of svc: narrow terminals keep two columns, and options come in the order of their declaration. */
export class SvcHelp extends Help {
  protected override CommandHelpClass = SvcCommandHelp as never;
  readonly #config: SvcConfig;

  constructor(config: SvcConfig) {
    const columns = widthOf(config.io) ?? WIDEST;
    const maxWidth = Math.min(WIDEST, Math.max(NARROWEST, columns));
    super(config, { maxWidth, flagSortOrder: 'none', hideCommandSummaryInDescription: true, stripAnsi: true });
    this.#config = config;
  }

  protected override log(text: string): void {
    this.#config.io.stdout(`${text}\n`);
  }

  override renderList(rows: (string | undefined)[][]): string {
    return renderRows(rows as Row[], this.opts.maxWidth!, (text, indent) => this.wrap(text, indent));
  }

  /** Prints the help of a command. */
  async showCommand(id: string): Promise<void> {
    this.log((await this.commandText(id)).trimEnd());
  }

  async commandText(id: string): Promise<string> {
    const Class = await loadCommand(id);
    return `${this.wrap(Class.summary ?? '', 0)}\n\n${this.formatCommand(describe(Class))}\n`;
  }

  /** Prints the commands of a topic, or all commands in groups. */
  showCommands(topic: string): void {
    const about = this.#config.findTopic(topic.replaceAll(' ', ':'))?.description;
    const head = topic === '' ? 'The command line of svc, a self-hosted data platform.' : (about ?? topic);
    const sections =
      topic === ''
        ? COMMAND_GROUPS.map(([title, topics]) => this.#commandList(title, topics.flatMap(idsOf)))
        : [this.#commandList('COMMANDS', idsOf(topic))];
    const foot = [
      'Run svc COMMAND --help to show the options and examples of a command.',
      `Verbs with the same meaning: ${SYNONYMS.map((verbs) => verbs.join(' = ')).join(', ')}.`,
    ];
    this.log([this.wrap(head, 0), ...sections, ...foot.map((text) => this.wrap(text, 0))].join('\n\n'));
  }

  #commandList(title: string, ids: readonly string[]): string {
    const rows = ids.map((id) => [`svc ${id}`, COMMANDS[id]!.summary] as [string, string]);
    return this.section(title.toUpperCase(), rows);
  }
}

/** The commands of a topic, or the command with this name. */
const idsOf = (topic: string) => COMMAND_IDS.filter((id) => id === topic || id.startsWith(`${topic} `));

class SvcCommandHelp extends CommandHelp {
  override renderList(rows: (string | undefined)[][]): string {
    return renderRows(rows as Row[], this.opts.maxWidth!, (text, indent) => this.wrap(text, indent));
  }

  protected override sections(): ReturnType<CommandHelp['sections']> {
    const headers: Record<string, string> = { FLAGS: 'OPTIONS' };
    return super.sections().map((section) => ({ ...section, header: headers[section.header] ?? section.header }));
  }

  protected override defaultUsage(): string {
    const flags = Object.values(this.command.flags).filter(
      ({ hidden, helpGroup }) => !hidden && helpGroup !== 'GLOBAL',
    );
    const args = Object.values(this.command.args).map((arg) => this.arg(arg));
    const required = flags
      .filter(({ required: isRequired }) => isRequired)
      .map((flag) => `--${flag.name} ${valueName(flag)}`);
    const more = flags.length > required.length ? ['[OPTIONS]'] : [];
    return [this.command.id, ...args, ...required, ...more].join(' ');
  }

  protected override flags(flags: Command.Flag.Any[]): Row[] | undefined {
    return flags.length === 0 ? undefined : flags.map(flagRow);
  }

  protected override flagsDescriptions(): undefined {
    return undefined;
  }

  protected override examples(examples: Command.Example[] | string | undefined): string {
    return ((examples ?? []) as string[]).map((example) => `$ ${example}`).join('\n');
  }
}

/** A command with its arguments and options as oclif's help reads them. */
function describe(Class: CommandClass): Command.Loadable {
  const named = (entries: object) =>
    Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, { ...entry, name }]));
  const { id, summary, description, examples } = Class;
  const flags = named({ ...globalFlags, ...Class.flags });
  return {
    id,
    summary,
    description,
    examples,
    flags,
    args: named(Class.args),
    aliases: [],
  } as unknown as Command.Loadable;
}

function flagRow(flag: Command.Flag.Any): Row {
  const options = flag.type === 'option' ? flag.options : undefined;
  const facts = [
    ...(options ? [`one of: ${options.join(', ')}`] : []),
    ...(flag.type === 'boolean' || flag.default === undefined ? [] : [`default: ${String(flag.default)}`]),
    ...(flag.type === 'option' && flag.multiple ? ['repeatable'] : []),
    ...(flag.required ? ['required'] : []),
  ];
  const no = flag.type === 'boolean' && flag.allowNo ? `, --no-${flag.name}` : '';
  const value = flag.type === 'option' ? ` ${valueName(flag)}` : '';
  return [
    `${flag.char ? `-${flag.char}, ` : '    '}--${flag.name}${no}${value}`,
    `${flag.description ?? ''}${facts.length > 0 ? ` [${facts.join('; ')}]` : ''}`,
  ];
}

const valueName = (flag: Command.Flag.Any) =>
  String((flag.type === 'option' && flag.helpValue) || flag.name.toUpperCase());

/** Rows of two columns below a header. The left column takes about a third; longer entries get their own line. */
function renderRows(rows: readonly Row[], columns: number, wrap: (text: string, indent: number) => string): string {
  const width = Math.min(34, Math.max(14, Math.ceil(columns / 3)), Math.max(...rows.map(([left]) => left.length)));
  const lines = rows.map(([left, right]) => {
    if (!right) return left;
    const [first = '', ...more] = wrap(right, width + 4).split('\n');
    const pad = ' '.repeat(width + 2);
    const below = more.map((line) => `\n${pad}${line.trim()}`).join('');
    return left.length > width ? `${left}\n${pad}${first}${below}` : `${left.padEnd(width)}  ${first}${below}`;
  });
  return lines.join('\n');
}
