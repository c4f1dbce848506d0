import { findCommand } from '../arguments/argv.ts';
import { COMMANDS, type CommandClass } from '../commands.ts';

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

/** Where the cursor stands in a command line. */
export interface Place {
  /** The command as far as it is known. */
  id: string | null;
  /** Words before the command is complete: the next may be one of it. */
  begun: readonly string[];
  /** `job run name`, `deploy --repo`; null where words of the command or options stand. */
  at: string | null;
  /** What the option takes, where that is a closed list. */
  options: readonly string[] | undefined;
  /** The word at the cursor as far as it is typed, and what of it is not part of a candidate (`--env=`). */
  current: string;
  prefix: string;
  /** Values of options that stand in the line. */
  given: Record<string, string>;
  flags: Flags;
}

/** Reads a command line up to the cursor. `globals` are the options that every command takes. */
export async function placeOf(words: readonly string[], globals: Flags): Promise<Place> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const leading = leadingOptions(before, globals);
  const found = findCommand(before.slice(leading), Object.keys(COMMANDS));
  const Class = found === null ? null : (await COMMANDS[found.id]!()).default;
  const flags: Flags = { ...globals, ...(Class?.flags as Flags | undefined) };
  const after = found === null ? [] : found.rest;
  const line = read([...before.slice(0, leading), ...after], flags);
  const base = { id: found?.id ?? null, given: line.given, flags, begun: found === null ? before.slice(leading) : [] };
  const here = { current: typed, prefix: '', options: undefined, at: null };
  if (line.pending !== null) return { ...base, ...here, ...valueAt(found?.id ?? '', line.pending, flags) };
  const equals = /^(--[\w-]+)=(.*)$/s.exec(typed);
  const name = equals === null ? undefined : nameOf(equals[1]!, flags);
  if (equals !== null && name !== undefined && !line.onlyWords) {
    return { ...base, ...here, ...valueAt(found?.id ?? '', name, flags), current: equals[2]!, prefix: `${equals[1]}=` };
  }
  if (Class === null || (typed.startsWith('-') && !line.onlyWords)) return { ...base, ...here };
  const arg = Object.keys((Class as CommandClass).args)[line.words];
  return { ...base, ...here, at: arg === undefined ? `${found?.id} ` : `${found?.id} ${arg}` };
}

const valueAt = (id: string, name: string, flags: Flags) => ({
  at: `${id} --${name}`,
  options: flags[name]?.options,
});

function nameOf(word: string, flags: Flags): string | undefined {
  if (word.startsWith('--')) return word.slice(2) in flags ? word.slice(2) : undefined;
  return Object.entries(flags).find(([, { char }]) => char !== undefined && word === `-${char}`)?.[0];
}

/** How many words before the command are options and their values. */
function leadingOptions(words: readonly string[], globals: Flags): number {
  let at = 0;
  while (at < words.length && words[at]!.startsWith('-')) {
    const name = nameOf(words[at]!, globals);
    at += name !== undefined && globals[name]?.type === 'option' ? 2 : 1;
  }
  return Math.min(at, words.length);
}

/** What stands in the words: values of options, how many other words, and the option that still lacks its value. */
function read(words: readonly string[], flags: Flags) {
  const given: Record<string, string> = {};
  let [count, pending, onlyWords] = [0, null as string | null, false];
  for (const word of words) {
    if (pending !== null) {
      given[pending] = word;
      pending = null;
    } else if (onlyWords || !word.startsWith('-') || word === '-') count += 1;
    else if (word === '--') onlyWords = true;
    else {
      const [head = '', ...value] = word.split('=');
      const name = nameOf(head, flags);
      if (name === undefined || flags[name]?.type !== 'option') continue;
      if (value.length > 0) given[name] = value.join('=');
      else pending = name;
    }
  }
  return { given, words: count, pending, onlyWords };
}
