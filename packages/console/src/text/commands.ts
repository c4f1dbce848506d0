import { shellCommand, shellOption } from '@svc/core/command-lines';

/** The options of a command line by flag: `true` for one without a value. Those that are undefined or false are left out. */
type Options = Readonly<Record<string, string | boolean | undefined>>;

/**
 * A command line of svc.
 *
 * @param verb such as `table get`
 * @param name of the object, or the statement; null if the command has none
 */
export function svcCommand(verb: string, name: string | null, options: Options): string {
  const written = Object.entries(options).flatMap(([flag, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? `--${flag}` : shellOption(flag, value);
  });
  return name === null ? ['svc', verb, ...written].join(' ') : shellCommand(`svc ${verb}`, name, written);
}
