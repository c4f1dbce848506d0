import { findCommand } from '../oclif/find-command.ts';
import { type CommandClass, loadCommand } from '../oclif/plugin.ts';

export interface FlagInfo {
  type: 'option' | 'boolean';
  char?: string;
  options?: readonly string[];
  description?: string;
  multiple?: boolean;
  allowNo?: boolean;
  hidden?: boolean;
}
type Flags = Record<string, FlagInfo>;

/** The position of the cursor in a command line. */
export interface Cursor {
  /** The command, null while it is incomplete. */
  id: string | null;
  /** The words of an incomplete command. */
  incomplete: readonly string[];
  /** The argument or option whose value is completed: `job run name`, `deploy --repo`. Null for commands and option names. */
  target: string | null;
  /** The values of the option, if it only takes certain ones. */
  options: readonly string[] | undefined;
  /** The incomplete text at the cursor, and the prefix of it that is not part of a candidate (`--env=`). */
  current: string;
  prefix: string;
  /** Values of the options in the line. */
  optionValues: Record<string, string>;
  /** The arguments before the cursor. */
  args: readonly string[];
  flags: Flags;
}

/** Parses a command line up to the cursor. `globals` are the options of every command. */
export async function parseCursor(args: readonly string[], globals: Flags): Promise<Cursor> {
  const typed = args.at(-1) ?? '';
  const before = args.slice(0, -1);
  const leading = leadingOptions(before, globals);
  const found = findCommand(before.slice(leading));
  const Class = found === null ? null : await loadCommand(found.id);
  const flags: Flags = { ...globals, ...(Class?.flags as Flags | undefined) };
  const after = found === null ? [] : found.rest;
  const line = read([...before.slice(0, leading), ...after], flags);
  const base = {
    id: found?.id ?? null,
    optionValues: line.optionValues,
    args: line.args,
    flags,
    incomplete: found === null ? before.slice(leading) : [],
  };
  const here = { current: typed, prefix: '', options: undefined, target: null };
  if (line.pending !== null) return { ...base, ...here, ...valueAt(found?.id ?? '', line.pending, flags) };
  const equals = /^(--[\w-]+)=(.*)$/s.exec(typed);
  const name = equals === null ? undefined : nameOf(equals[1]!, flags);
  if (equals !== null && name !== undefined && !line.onlyArgs) {
    return { ...base, ...here, ...valueAt(found?.id ?? '', name, flags), current: equals[2]!, prefix: `${equals[1]}=` };
  }
  if (Class === null || (typed.startsWith('-') && !line.onlyArgs)) return { ...base, ...here };
  const arg = Object.keys((Class as CommandClass).args)[line.args.length];
  return { ...base, ...here, target: arg === undefined ? `${found?.id} ` : `${found?.id} ${arg}` };
}

const valueAt = (id: string, name: string, flags: Flags) => ({
  target: `${id} --${name}`,
  options: flags[name]?.options,
});

function nameOf(arg: string, flags: Flags): string | undefined {
  if (arg.startsWith('--')) return arg.slice(2) in flags ? arg.slice(2) : undefined;
  return Object.entries(flags).find(([, { char }]) => char !== undefined && arg === `-${char}`)?.[0];
}

/** Number of arguments before the command that are options or their values. */
function leadingOptions(args: readonly string[], globals: Flags): number {
  let index = 0;
  while (index < args.length && args[index]!.startsWith('-')) {
    const name = nameOf(args[index]!, globals);
    index += name !== undefined && globals[name]?.type === 'option' ? 2 : 1;
  }
  return Math.min(index, args.length);
}

/** Parses the values of options, the arguments, and the option that still needs a value. */
function read(args: readonly string[], flags: Flags) {
  const optionValues: Record<string, string> = {};
  const positionals: string[] = [];
  let [pending, onlyArgs] = [null as string | null, false];
  for (const arg of args) {
    if (pending !== null) {
      optionValues[pending] = arg;
      pending = null;
    } else if (onlyArgs || !arg.startsWith('-') || arg === '-') positionals.push(arg);
    else if (arg === '--') onlyArgs = true;
    else {
      const [head = '', ...value] = arg.split('=');
      const name = nameOf(head, flags);
      if (name === undefined || flags[name]?.type !== 'option') continue;
      if (value.length > 0) optionValues[name] = value.join('=');
      else pending = name;
    }
  }
  return { optionValues, args: positionals, pending, onlyArgs };
}
