import { nearestNames } from '@svc/core/nearest-name';
import { ownValue } from '@svc/core/own-value';
import { BEFORE_COMMAND, isGlobal, moveGlobalsLast, requestsJson, splitGlobals } from './arguments/global-options.ts';
import { type CliError, EXIT, type ExitCode, usageError } from './cli-error.ts';
import { COMPLETE_COMMAND } from './completion/complete-command.ts';
import { findCommand, findCommandAmongGlobals } from './oclif/find-command.ts';
import { loadConfig } from './oclif/load-config.ts';
import { COMMAND_IDS } from './oclif/plugin.ts';
import type { SvcConfig } from './oclif/svc-config.ts';
import { reportError } from './report-error.ts';
import type { Io } from './terminal/io.ts';

const HELP = ['--help', '-h'];

/** Runs one command line and returns its exit code. Nothing else in the process changes. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  let config: SvcConfig | null = null;
  try {
    config = await loadConfig(io);
    if (argv[0] === COMPLETE_COMMAND) {
      const { printCandidates } = await import('./completion/print-candidates.ts');
      await printCandidates(argv.slice(1), config);
    } else await dispatch(moveGlobalsLast(argv), config);
    return EXIT.done;
  } catch (error) {
    return reportError(error, io, requestsJson(argv), config?.failed);
  }
}

async function dispatch(argv: readonly string[], config: SvcConfig): Promise<void> {
  if (argv[0] === '--version' || argv[0] === '-v') {
    config.io.stdout(`svc ${config.version} node-${process.version}\n`);
    return;
  }
  const end = argv.indexOf('--');
  const wantsHelp = (end === -1 ? argv : argv.slice(0, end)).some((arg) => HELP.includes(arg));
  const args = (argv[0] === 'help' ? argv.slice(1) : argv).filter((arg) => !HELP.includes(arg) || !wantsHelp);
  const found = findCommandAmongGlobals(args);
  if (found === null) return withoutCommand(args, config);
  if (wantsHelp || argv[0] === 'help') return (await loadHelp(config)).showCommand(found.id);
  await config.runCommand(found.id.replaceAll(' ', ':'), found.rest);
}

/** Loaded on demand, because most commands don't show help. */
async function loadHelp(config: SvcConfig) {
  const { SvcHelp } = await import('./oclif/help.ts');
  return new SvcHelp(config);
}

async function withoutCommand(args: readonly string[], config: SvcConfig): Promise<void> {
  const { commandArgs } = splitGlobals(args);
  const positionals = commandArgs.filter((arg) => !arg.startsWith('-'));
  const topic = positionals.join(' ');
  const isTopic = topic === '' || COMMAND_IDS.some((id) => id.startsWith(`${topic} `));
  const misplacedOption = commandArgs.find((arg) => arg.startsWith('-'));
  if (misplacedOption !== undefined && (isTopic || findCommand(positionals) !== null)) {
    const next = isTopic ? `svc help ${topic}`.trim() : `svc ${positionals.join(' ')} --help`;
    throw usageError(explainMisplaced(misplacedOption, isTopic), next);
  }
  if (isTopic) return (await loadHelp(config)).showCommands(topic);
  throw commandNotFound(positionals);
}

/** Topics as other systems name them. */
const SYNONYMS: Readonly<Record<string, string>> = {
  database: 'env',
  databases: 'env',
  environment: 'env',
  environments: 'env',
  namespace: 'ns',
  namespaces: 'ns',
  schema: 'ns',
  schemas: 'ns',
  user: 'principal',
  users: 'principal',
};

/** The start of an argument that is a statement. */
const STATEMENT = /^\s*(?:select|with|from|values|insert|update|delete|merge|explain|describe|show)\s/i;

/** Suggests similar commands, or the topic. The last words may be arguments of the command. */
function commandNotFound(positionals: readonly string[]): CliError {
  const message = `Unknown command "svc ${positionals.join(' ')}".`;
  const [first = '', second = '', ...rest] = positionals.map((word) => ownValue(SYNONYMS, word) ?? word);
  const inOrder = [first, second, ...rest].filter((word) => word !== '');
  const similar = [
    positionals.some((word) => STATEMENT.test(word)) ? 'sql' : [],
    findCommand(inOrder)?.id ?? [],
    findCommand([second, first])?.id ?? [],
    ...[3, 2, 1].map((count) => nearestNames(inOrder.slice(0, count).join(' '), COMMAND_IDS)),
    nearestNames(first, TOPICS),
  ]
    .map((ids) => [ids].flat())
    .find(({ length }) => length > 0);
  if (similar === undefined) return usageError(message, 'svc help');
  return usageError(`${message}\nDid you mean: ${similar.map((id) => `svc ${id}`).join(', ')}?`);
}

function explainMisplaced(option: string, isTopic: boolean): string {
  if (isGlobal(option)) return `${option} needs a value.`;
  if (isTopic) return `${option} is an option of a command, and no command is specified.`;
  return `Only ${BEFORE_COMMAND.slice(0, -1).join(', ')} and ${BEFORE_COMMAND.at(-1)} can come before the command. Put ${option} after it.`;
}

/** First words of commands: bin/load.cjs caches compiled code by them. @public */
export const TOPICS: ReadonlySet<string> = new Set(COMMAND_IDS.map((id) => id.split(' ')[0]!));

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
