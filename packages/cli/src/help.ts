import { COMMANDS, type CommandClass, TOPICS } from './commands.ts';

interface FlagInfo {
  name: string;
  type: 'option' | 'boolean';
  char?: string;
  description?: string;
  helpValue?: string | string[];
  helpGroup?: string;
  options?: readonly string[];
  required?: boolean;
  multiple?: boolean;
  allowNo?: boolean;
  hidden?: boolean;
  default?: unknown;
}

interface ArgInfo {
  description?: string;
  required?: boolean;
}

/** Maximum line width, also used without a terminal. */
const WIDEST = 100;
const NARROWEST = 40;

/** Formats the usage, arguments, options and examples of a command for the width of the terminal. */
export function commandHelp(Class: CommandClass, columns: number = WIDEST): string {
  const section = sectionOf(columns);
  const args = Object.entries(Class.args as Record<string, ArgInfo>);
  const all = { ...Class.baseFlags, ...Class.flags } as unknown as Record<string, Omit<FlagInfo, 'name'>>;
  const flags: FlagInfo[] = Object.entries(all)
    .map(([name, flag]) => ({ ...flag, name }))
    .filter(({ hidden }) => !hidden);
  const own = flags.filter(({ helpGroup }) => helpGroup !== 'GLOBAL');
  const global = flags.filter(({ helpGroup }) => helpGroup === 'GLOBAL');
  const parts = [
    `${wrapped(Class.summary ?? '', 0, columns)}\n`,
    `USAGE\n  $ ${usageLine(Class.id, args, own)}\n`,
    section(
      'ARGUMENTS',
      args.map(([name, arg]) => [name.toUpperCase(), arg.description ?? '']),
    ),
    section('OPTIONS', own.map(flagRow)),
    section('GLOBAL OPTIONS', global.map(flagRow)),
    Class.description ? `DESCRIPTION\n${wrapped(Class.description, 2, columns)}\n` : '',
    section(
      'EXAMPLES',
      (Class.examples as string[]).map((example) => [`$ ${example}`, '']),
    ),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** Lists all commands, or those of one topic. */
export async function overview(topic: string, columns: number = WIDEST): Promise<string> {
  const ids = Object.keys(COMMANDS).filter((id) => topic === '' || id.startsWith(`${topic} `));
  const rows: [string, string][] = [];
  for (const id of ids) rows.push([`svc ${id}`, (await COMMANDS[id]!()).default.summary ?? '']);
  const head =
    topic === ''
      ? `${wrapped('The command line of svc, a self-hosted data platform.', 0, columns)}\n`
      : `${TOPICS[topic] ?? topic}\n`;
  const foot = `${wrapped('Run svc COMMAND --help to show the options and examples of a command.', 0, columns)}\n`;
  return [head, sectionOf(columns)('COMMANDS', rows), foot].join('\n');
}

function usageLine(id: string, args: [string, ArgInfo][], flags: FlagInfo[]): string {
  const words = args.map(([name, { required }]) => (required ? name.toUpperCase() : `[${name.toUpperCase()}]`));
  const required = flags.filter((flag) => flag.required).map((flag) => `--${flag.name} ${valueName(flag)}`);
  const more = flags.length > required.length ? ['[OPTIONS]'] : [];
  return ['svc', id, ...words, ...required, ...more].join(' ');
}

function flagRow(flag: FlagInfo): [string, string] {
  const char = flag.char ? `-${flag.char}, ` : '    ';
  const value = flag.type === 'option' ? ` ${valueName(flag)}` : '';
  const facts = [
    ...(flag.options ? [`one of: ${flag.options.join(', ')}`] : []),
    ...(flag.default === undefined || flag.type === 'boolean' ? [] : [`default: ${String(flag.default)}`]),
    ...(flag.multiple ? ['repeatable'] : []),
    ...(flag.required ? ['required'] : []),
  ];
  return [
    `${char}--${flag.name}${flag.allowNo ? `, --no-${flag.name}` : ''}${value}`,
    `${flag.description ?? ''}${facts.length > 0 ? ` [${facts.join('; ')}]` : ''}`,
  ];
}

const valueName = ({ helpValue, name }: FlagInfo) => String(helpValue ?? name.toUpperCase());

/** Formats rows of two columns. The left column takes about a third; longer entries get their own line. */
const sectionOf = (columns: number) => (title: string, rows: readonly (readonly [string, string])[]) => {
  if (rows.length === 0) return '';
  const width = Math.min(34, Math.max(14, Math.ceil(columns / 3)), Math.max(...rows.map(([left]) => left.length)));
  const lines = rows.map(([left, right]) => {
    if (right === '') return `  ${left}`;
    const text = wrapped(right, width + 4, columns).trimStart();
    return left.length > width ? `  ${left}\n${' '.repeat(width + 4)}${text}` : `  ${left.padEnd(width)}  ${text}`;
  });
  return `${title}\n${lines.join('\n')}\n`;
};

function wrapped(text: string, indent: number, columns: number): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns)) - indent;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((part) => ' '.repeat(indent) + part).join('\n');
}
