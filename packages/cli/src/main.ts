import { BEFORE_COMMAND, findCommand, isGlobal, moveGlobalsLast, nearest, splitGlobals } from './arguments/argv.ts';
import { EXIT, type ExitCode } from './cli-error.ts';
import { COMMANDS } from './commands.ts';
import { COMPLETE_COMMAND } from './completion/complete-command.ts';
import { VERSION } from './generated/known.ts';
import { commandHelp, overview } from './help.ts';
import { reportError } from './report-error.ts';
import { type Io, widthOf } from './terminal/io.ts';

const HELP = ['--help', '-h'];

/** Runs one command line and returns its exit code. Nothing else in the process changes. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  if (argv[0] === COMPLETE_COMMAND) {
    const { printCandidates } = await import('./completion/print-candidates.ts');
    await printCandidates(argv.slice(1), io);
    return EXIT.done;
  }
  try {
    return await dispatch(moveGlobalsLast(argv), io);
  } catch (error) {
    return reportError(error, io);
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  if (argv[0] === '--version' || argv[0] === '-v') {
    io.stdout(`svc ${VERSION} node-${process.version}\n`);
    return EXIT.done;
  }
  const end = argv.indexOf('--');
  const wantsHelp = (end === -1 ? argv : argv.slice(0, end)).some((word) => HELP.includes(word));
  const words = (argv[0] === 'help' ? argv.slice(1) : argv).filter((word) => !HELP.includes(word) || !wantsHelp);
  const found = find(words);
  if (found === null) return withoutCommand(words, io);
  const { default: Class } = await COMMANDS[found.id]!();
  Class.id = found.id;
  if (wantsHelp || argv[0] === 'help') {
    io.stdout(commandHelp(Class, widthOf(io)));
    return EXIT.done;
  }
  await new Class(found.rest).execute(io);
  return EXIT.done;
}

/** Finds the command, even if there are global options between its words. */
function find(words: readonly string[]): ReturnType<typeof findCommand> {
  const ids = Object.keys(COMMANDS);
  const found = findCommand(words, ids);
  if (found !== null || words.includes('--')) return found;
  const { own, globals } = splitGlobals(words);
  const apart = findCommand(own, ids);
  return apart === null ? null : { id: apart.id, rest: [...apart.rest, ...globals] };
}

async function withoutCommand(words: readonly string[], io: Io): Promise<ExitCode> {
  const ids = Object.keys(COMMANDS);
  const { own } = splitGlobals(words);
  const named = own.filter((word) => !word.startsWith('-'));
  const topic = named.join(' ');
  const isTopic = topic === '' || ids.some((id) => id.startsWith(`${topic} `));
  const misplaced = own.find((word) => word.startsWith('-'));
  if (misplaced !== undefined && (isTopic || findCommand(named, ids) !== null)) {
    const next = isTopic ? `svc help ${topic}`.trim() : `svc ${named.join(' ')} --help`;
    io.stderr(`Error: ${explainMisplaced(misplaced, isTopic)}\nNext: ${next}\n`);
    return EXIT.usageError;
  }
  if (isTopic) {
    io.stdout(await overview(topic, widthOf(io)));
    return EXIT.done;
  }
  // The last words may be arguments of the command.
  const near =
    [3, 2, 1].map((count) => nearest(named.slice(0, count).join(' '), ids)).find(({ length }) => length > 0) ?? [];
  const hint = near.length > 0 ? `Did you mean: ${near.map((id) => `svc ${id}`).join(', ')}?` : 'Next: svc help';
  io.stderr(`Error: Unknown command "svc ${topic}".\n${hint}\n`);
  return EXIT.usageError;
}

function explainMisplaced(option: string, isTopic: boolean): string {
  if (isGlobal(option)) return `${option} needs a value.`;
  if (isTopic) return `${option} is an option of a command, and no command is specified.`;
  return `Only ${BEFORE_COMMAND.slice(0, -1).join(', ')} and ${BEFORE_COMMAND.at(-1)} can come before the command. Put ${option} after it.`;
}

/** First words of commands: bin/load.cjs caches compiled code by them. @public */
export const FIRST_WORDS: ReadonlySet<string> = new Set(Object.keys(COMMANDS).map((id) => id.split(' ')[0]!));

/** The program; bin/run.cjs starts it. @public */
export async function main(): Promise<void> {
  const { processIo } = await import('./terminal/process-io.ts');
  // The reader of a pipe may close it early, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  process.exitCode = await run(process.argv.slice(2), processIo());
}
