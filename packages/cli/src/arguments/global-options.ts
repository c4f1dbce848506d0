const GLOBALS_WITH_VALUE = ['--output', '-o', '--format', '--profile', '--url', '--env', '-e'];
const GLOBAL_SWITCHES = ['--json', '--debug', '--allow-insecure'];

/** Global options that can come before the command, as shown in texts. */
export const BEFORE_COMMAND = ['--output', '--json', '--profile', '--url', '--env', '--allow-insecure', '--debug'];

/** Replaces `--url` before the command, because some commands have their own `--url`. */
const SERVICE_URL = '--service-url';

/**
 * Moves global options from before the command to the end of its arguments, but before any `--`. The specification puts
 * `--output` before the command.
 */
export function moveGlobalsLast(argv: readonly string[]): string[] {
  let at = 0;
  while (globalOptionLength(argv, at) > 0) at += globalOptionLength(argv, at);
  const moved = argv.slice(0, at).map(unambiguous);
  const rest = argv.slice(at);
  const end = rest.indexOf('--');
  return end === -1 ? [...rest, ...moved] : [...rest.slice(0, end), ...moved, ...rest.slice(end)];
}

/** Separates global options from the other arguments. Arguments after `--` are not options. */
export function splitGlobals(argv: readonly string[]): { commandArgs: string[]; globals: string[] } {
  const commandArgs: string[] = [];
  const globals: string[] = [];
  for (let at = 0; at < argv.length && argv[at] !== '--'; ) {
    const length = globalOptionLength(argv, at);
    if (length === 0) commandArgs.push(argv[at]!);
    else globals.push(...argv.slice(at, at + length).map(unambiguous));
    at += length || 1;
  }
  return { commandArgs, globals };
}

/** Number of arguments that the global option at an index takes; 0 if it isn't one or its value is missing. */
function globalOptionLength(argv: readonly string[], at: number): number {
  const argument = argv[at];
  if (argument === undefined) return 0;
  if (GLOBALS_WITH_VALUE.includes(argument) || argument === SERVICE_URL) return at + 1 < argv.length ? 2 : 0;
  if (GLOBAL_SWITCHES.includes(argument)) return 1;
  return GLOBALS_WITH_VALUE.some((name) => argument.startsWith(`${name}=`)) || /^-[oe]./.test(argument) ? 1 : 0;
}

/**
 * Whether the arguments request JSON, even if they are invalid otherwise. `--format ndjson` doesn't count: it is a file format
 * of some commands.
 */
export function requestsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const line = (end === -1 ? argv : argv.slice(0, end)).join('\n');
  return /^(--json|(--output|-o)[=\n]?(nd)?json|--format[=\n]json)$/m.test(line);
}

/** Whether the argument is a global option with a value. */
export const isGlobal = (argument: string) => GLOBALS_WITH_VALUE.includes(argument);

/** Before the command, options have their global meaning even if the command has its own `--url` or `--format`. */
const unambiguous = (argument: string) =>
  argument.replace(/^--url(?==|$)/, SERVICE_URL).replace(/^--format(?==|$)/, '--output');
