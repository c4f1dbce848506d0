import { shellArgument, shellOption } from '@svc/core/command-lines';

/**
 * The options of a command line by flag, or by letter: `true` for one without a value, a list for one that is repeated. Those that
 * are undefined or false are left out.
 */
type Options = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

const option = (flag: string, value: string): string =>
  flag.length === 1 ? `-${flag} ${shellArgument(value)}` : shellOption(flag, value);

/**
 * A command line of svc.
 *
 * @param verb such as `table get`
 * @param names of the object, or the statement; null if the command has none
 */
export function svcCommand(verb: string, names: string | readonly string[] | null, options: Options): string {
  const written = Object.entries(options).flatMap(([flag, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return `--${flag}`;
    return typeof value === 'string' ? option(flag, value) : value.map((each) => option(flag, each));
  });
  const all = names === null ? [] : typeof names === 'string' ? [names] : names;
  const args = all.map(shellArgument);
  // A name that starts with "-" goes last, where it can't be parsed as an option.
  const isLast = all.some((name) => name.startsWith('-'));
  return ['svc', verb, ...(isLast ? [...written, '--', ...args] : [...args, ...written])].join(' ');
}
