/** Quotes an argument for a shell. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./*-]+$/.test(argument) && !argument.includes('*')
    ? argument
    : `'${argument.replaceAll("'", `'\\''`)}'`;
}

export function commandLine(args: readonly string[]): string {
  return args.map(quoted).join(' ');
}

/** `--flag value`, or `--flag=value` if the value starts with "-" and would look like an option. */
export const option = (flag: string, value: string): string =>
  value.startsWith('-') ? `--${flag}=${quoted(value)}` : `--${flag} ${quoted(value)}`;

/** A command with a name as its argument. A name that starts with "-" goes last, after "--". */
export function named(verb: string, name: string, ...options: string[]): string {
  const args = name.startsWith('-') ? [...options, '--', quoted(name)] : [quoted(name), ...options];
  return [verb, ...args].join(' ');
}
