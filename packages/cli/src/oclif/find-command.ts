import { splitGlobals } from '../arguments/global-options.ts';
import { commandIdOf } from './verb-aliases.ts';

export interface FoundCommand {
  id: string;
  rest: string[];
}

/**
 * The longest command id at the start of the arguments, and the arguments after it. oclif's own search adds every argument
 * of a command without arguments to its id, so that `svc env list x` would be an unknown command.
 */
export function findCommand(argv: readonly string[]): FoundCommand | null {
  for (let length = Math.min(3, argv.length); length > 0; length--) {
    const id = commandIdOf(argv.slice(0, length));
    if (id !== undefined) return { id, rest: argv.slice(length) };
  }
  return null;
}

/** Finds the command even if there are global options between its parts. */
export function findCommandAmongGlobals(argv: readonly string[]): FoundCommand | null {
  const found = findCommand(argv);
  if (found !== null || argv.includes('--')) return found;
  const { commandArgs, globals } = splitGlobals(argv);
  const command = findCommand(commandArgs);
  return command === null ? null : { id: command.id, rest: [...command.rest, ...globals] };
}
