import { stripVTControlCharacters } from 'node:util';
import { nearestNames } from '@svc/core/nearest-name';
import { ConnectionError, SvcError, WorkFailed } from '@svc/sdk';
import { type Inputs, inputName } from './arguments/input-names.ts';
import { CliError, EXIT, type ExitCode } from './cli-error.ts';
import { escapedLines, jsonText } from './output/escape.ts';
import type { Io } from './terminal/io.ts';

const BY_STATUS: Record<number, ExitCode> = {
  400: EXIT.usage,
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  409: EXIT.conflict,
  413: EXIT.usage,
  415: EXIT.usage,
  422: EXIT.usage,
  429: EXIT.unavailable,
  502: EXIT.unavailable,
  503: EXIT.unavailable,
  504: EXIT.unavailable,
};

/**
 * Prints an error on standard error and returns the exit code: the sentence first and then the next command, or one line of
 * JSON.
 *
 * @param inputs those of the command, so that people read the names of options instead of the request's fields
 */
export function reportError(error: unknown, io: Pick<Io, 'stderr'>, json: boolean, inputs: Inputs = {}): ExitCode {
  const { lines, code } = describe(error, json ? {} : inputs);
  const text = json ? jsonText(recordOf(error, lines, code), 0) : lines.map(escapedLines).join('\n');
  io.stderr(`${text}\n`);
  return code;
}

/** Codes of errors that are not from the service. */
const CODES: Record<number, string> = {
  [EXIT.failed]: 'failed',
  [EXIT.usage]: 'usage',
  [EXIT.notFound]: 'not-found',
  [EXIT.notAllowed]: 'not-allowed',
  [EXIT.conflict]: 'conflict',
  [EXIT.unavailable]: 'unavailable',
  [EXIT.interrupted]: 'interrupted',
};

/** An error for programs, with the fields of a problem response. */
function recordOf(error: unknown, lines: readonly string[], exitCode: ExitCode) {
  const fromService = error instanceof SvcError ? error : null;
  const remedy = fromService ? (fromService.remedy ?? nextStep(fromService)) : (error as { remedy?: string })?.remedy;
  const isSentence = error instanceof SvcError || error instanceof CliError;
  return {
    code: fromService?.code ?? CODES[exitCode],
    detail: isSentence ? error.message : lines.join('\n').replace(/^Error: /, ''),
    remedy: remedy ?? null,
    request_id: fromService?.requestId ?? null,
    errors: fromService?.errors ?? [],
  };
}

function describe(error: unknown, inputs: Inputs): { lines: string[]; code: ExitCode } {
  if (error instanceof CliError) {
    const sentence = error.exitCode === EXIT.interrupted ? error.message : `Error: ${error.message}`;
    const { remedy, excerpt, exitCode } = error;
    return { lines: withRemedy(sentence, remedy, [...excerpt, ...next(remedy)], excerpt), code: exitCode };
  }
  if (error instanceof SvcError) return { lines: linesOf(error, inputs), code: codeOf(error) };
  const { name, message, oclif } = (error ?? {}) as { name?: string; message?: string; oclif?: { exit?: number } };
  if (oclif !== undefined) {
    const [sentence, ...more] = cleanMessage(message).split('\n');
    return { lines: [`Error: ${sentence}`, ...suggestOptions(error as UnknownOptions), ...more], code: EXIT.usage };
  }
  // How the SDK rejects a value that can't be sent.
  if (error instanceof TypeError && !('code' in error)) return { lines: [`Error: ${message}`], code: EXIT.usage };
  if (name === 'ExitPromptError') return { lines: ['Interrupted. Nothing was changed.'], code: EXIT.interrupted };
  return { lines: [`Error: ${message ?? String(error)}`], code: EXIT.failed };
}

/** Prints the remedy once: on its own line if the sentence ends with it, otherwise in the last line. */
function withRemedy(
  sentence: string,
  remedy: string | undefined,
  otherwise: readonly string[],
  below: readonly string[] = [],
): string[] {
  // "cause; remedy": the remedy goes to the last line only.
  if (remedy && sentence.endsWith(`; ${remedy}`)) return [sentence.slice(0, -remedy.length - 2), ...otherwise];
  // The sentence already contains the advice.
  if (remedy && sentence.endsWith(` ${remedy}.`)) return [sentence, ...below];
  if (!remedy || !sentence.endsWith(`: ${remedy}`)) return [sentence, ...otherwise];
  return [sentence.slice(0, -remedy.length - 1), `  ${remedy}`, ...below];
}

/** The part of oclif's error for unknown options that suggestions need. */
interface UnknownOptions {
  flags?: readonly string[];
  parse?: { input?: { flags?: Record<string, { hidden?: boolean }> } };
}

/** Suggests options that are similar to the unknown ones. */
function suggestOptions({ flags, parse }: UnknownOptions): string[] {
  const known = Object.entries(parse?.input?.flags ?? {}).filter(([, { hidden }]) => !hidden);
  const names = known.map(([name]) => `--${name}`);
  const similar = Array.isArray(flags) ? flags.flatMap((flag: string) => similarOptions(flag, names)) : [];
  return similar.length === 0 ? [] : [`Did you mean: ${similar.join(', ')}?`];
}

/** Options of which the unknown one is a longer or shorter form, such as `--env` for `--environment`, or else mistyped ones. */
function similarOptions(flag: string, names: readonly string[]): string[] {
  const forms = names.filter((name) => Math.min(flag.length, name.length) >= MIN_FORM && isStartOf(flag, name));
  return forms.length > 0 ? forms : nearestNames(flag, names);
}

/** Characters of the shorter form, with its hyphens. */
const MIN_FORM = 5;

const isStartOf = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);

/** oclif's texts for the most frequent mistakes, and ours. */
const WORDINGS: readonly (readonly [oclif: RegExp, ours: string])[] = [
  [/^Missing required flag (\S+)$/m, 'Missing option: --$1.'],
  [/^Missing \d+ required arg(s?):$/m, 'Missing argument$1:'],
  [/^Nonexistent flag(s?): (.*)$/m, 'Unknown option$1: $2.'],
  [/^Expected (--[^=\s]+)=.* to be one of: (.*)$/m, '$1: must be one of $2.'],
  [/^Parsing (--\S+)\s+Expected (.*) but received: (.*)$/m, '$1: must be $2, not $3.'],
  [/^(Unexpected arguments?: .*)$/m, '$1\nQuote a value that contains spaces.'],
  [/^See more help with --help$/m, 'Add --help to show the arguments and options.'],
];

/** The text of oclif's error in our words, without its frame, indentation and colors. */
function cleanMessage(message = ''): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim());
  const text = lines.filter((line) => line !== '' && line !== 'The following error occurred:').join('\n');
  return WORDINGS.reduce((worded, [oclif, ours]) => worded.replace(oclif, ours), text);
}

function codeOf(error: SvcError): ExitCode {
  if (error.code === 'not-ended-in-time') return EXIT.failed;
  if (error.code === 'insecure-address') return EXIT.usage;
  if (error.status === 0) return error instanceof WorkFailed ? EXIT.failed : EXIT.unavailable;
  return BY_STATUS[error.status] ?? EXIT.failed;
}

function linesOf(error: SvcError, inputs: Inputs): string[] {
  /** @param where the pointer to a field, or the name of a parameter */
  const named = (where: string) => inputName(inputs, where.startsWith('/') ? where : `/${where}`);
  const more = error.errors.slice(1).map(({ parameter, pointer, message }) => {
    const where = parameter ?? pointer ?? '';
    return `  ${named(where) ?? where}: ${message}`;
  });
  const sentence = error.message.replace(/^(?:field|parameter) ([^:\s]{1,200}): /, (text, where: string) => {
    const name = named(where);
    return name === null ? text : `${name}: `;
  });
  const request = error.status >= 500 && error.requestId ? [`Request id: ${error.requestId}`] : [];
  const remedy = error.remedy ?? nextStep(error);
  const below = [...more, ...request];
  return withRemedy(`Error: ${sentence}`, remedy, [...below, ...next(remedy, error.status === 403)], below);
}

function nextStep(error: SvcError): string | undefined {
  if (error.status === 401 && error.code !== 'sign-in-failed') return 'svc login';
  return error instanceof ConnectionError ? 'svc doctor' : undefined;
}

const next = (remedy: string | undefined, forAdministrator = false) =>
  remedy ? [`${forAdministrator ? 'An administrator can run' : 'Next'}: ${remedy}`] : [];
