/** Quotes a name for a shell only if needed. */
export function shellArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command with all its arguments, to be pasted into a shell. */
export const shellLine = (args: readonly string[]): string => args.map(shellArgument).join(' ');

/** `--flag value`, or `--flag=value` if the value starts with "-" and would be parsed as an option. */
export function shellOption(flag: string, value: string): string {
  return value.startsWith('-') ? `--${flag}=${shellArgument(value)}` : `--${flag} ${shellArgument(value)}`;
}

/** A command with its positional name; a name that starts with "-" goes last, where it can't be parsed as an option. */
export function shellCommand(verb: string, name: string, options: readonly string[]): string {
  const args = name.startsWith('-') ? [...options, '--', shellArgument(name)] : [shellArgument(name), ...options];
  return [verb, ...args].join(' ');
}
