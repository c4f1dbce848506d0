import { engineWording } from './engine-wording.ts';
import type { ChildExit } from './sandbox/child-errors.ts';
import type { TableName } from './statement/guard.ts';
import type { GuardFailure } from './statement/guard-error.ts';

/** Why a query has no result, worded for the user who submitted it. */
export type QueryError = {
  readonly code:
    | GuardFailure['code']
    | 'table-not-found'
    | 'version-not-found'
    | 'not-allowed'
    | 'policy-invalid'
    | 'view-invalid'
    | 'binder-error'
    | 'column-mismatch'
    | 'null-not-allowed'
    | 'ambiguous-change'
    | 'execution-error'
    | 'disk-full'
    | 'storage-unavailable'
    | 'engine-unavailable'
    | ChildExit;
  readonly message: string;
  /** Offset in the query's text, if known. */
  readonly position?: number;
  /** For `table-not-found`: the name as written in the statement. */
  readonly table?: string;
  /** A command that helps, with which the message ends. */
  readonly remedy?: string | undefined;
};

/** Carries a QueryError out of the steps of a query; `runQuery` turns it into a value. */
export class QueryRejectedError extends Error {
  readonly error: QueryError;

  constructor(
    code: QueryError['code'],
    message: string,
    { cause, ...about }: Pick<QueryError, 'table' | 'remedy'> & { readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'QueryRejectedError';
    this.error = { code, message, ...about };
  }
}

/** The message is the same whether the table is missing or hidden. No table has a name without a namespace. */
export function tableNotFound(name: TableName): QueryRejectedError {
  if (name.length === 1 && /[./]/.test(name[0]!)) {
    const message = `${name[0]} isn't the name of a table, and queries don't read files. Load the file first: svc table load NAMESPACE.TABLE FILE --create.`;
    return new QueryRejectedError('table-not-found', message, { table: name[0]! });
  }
  if (name.length === 1) {
    const message = `The table ${name[0]} doesn't exist. Write the namespace before the name: NAMESPACE.${name[0]}.`;
    return new QueryRejectedError('table-not-found', message, { table: name[0]! });
  }
  return new QueryRejectedError(
    'table-not-found',
    `The table ${name.join('.')} doesn't exist, or you don't have READ_TABLE on it. ${CHECK_NAME}`,
    { table: name.join('.') },
  );
}

const CHECK_NAME = 'Check the name or request READ_TABLE.';

/** The error about a missing table, with a similar one that the reader can read. */
export function withSimilarTable(error: QueryError, similar: string): QueryError {
  const suggestion = `Did you mean ${similar}?`;
  const message = error.message.endsWith(CHECK_NAME)
    ? error.message.replace(CHECK_NAME, `${suggestion} ${CHECK_NAME}`)
    : `${error.message} ${suggestion}`;
  return { ...error, message };
}

export const nullNotAllowed = (column: string): QueryRejectedError =>
  new QueryRejectedError('null-not-allowed', `The column "${column}" must not be null, but the query returns a null.`);

const CHILD_EXIT_ERRORS: Readonly<Record<ChildExit, string>> = {
  timeout: 'The query exceeded its time limit. Query less data, or have the operator raise the limit.',
  'out-of-memory': 'The query exceeded its memory limit. Query less data at a time.',
  cancelled: 'The query was cancelled.',
  'engine-died':
    'The query engine stopped unexpectedly. Try again; if it happens again, contact the operator, who can check the log.',
};

const NOT_CAUSED_BY_STATEMENT: ReadonlySet<string> = new Set([
  ...Object.keys(CHILD_EXIT_ERRORS),
  'disk-full',
  'storage-unavailable',
  'engine-unavailable',
]);

/** Whether failures with this code have the same message for every statement, without any of its text or rows. */
export const quotesNothing = (code: string): boolean => NOT_CAUSED_BY_STATEMENT.has(code);

export function childExitError(reason: ChildExit): QueryError {
  return { code: reason, message: CHILD_EXIT_ERRORS[reason] };
}

export const DISK_FULL: QueryError = {
  code: 'disk-full',
  message: 'The disk is full. Try again after the operator has freed space.',
};

const DISK_FAULT: QueryError = {
  code: 'storage-unavailable',
  message: 'A disk of the service is read-only or faulty. Try again after the operator has repaired it.',
};

/** What the system reports about such a disk, at the end of the engine's message. */
const ABOUT_THE_DISK = /^IO Error: .*(?:Read-only file system|Input\/output error|Stale file handle)$/i;

/** A file of a table no longer exists. */
export const FILE_GONE =
  'A file that the query was reading no longer exists: its table was purged or its old snapshots expired while the query ran. Run the query again.';

/** The engine can't parse a file. */
const FILE_DAMAGED =
  'A file that the query reads is damaged. Roll the table back to a snapshot from before the file was added, or write the file again.';

/** The engine reports errors of its libraries as "Invalid Error". No statement can raise one. */
const ABOUT_A_FILE =
  /^(?:Invalid Error: |(?:Invalid Input|IO) Error: (?:Failed to read file "|Invalid string encoding found in Parquet file|Could not read enough bytes from file|No magic bytes found))/;

/** A table names something other than one of the storage's own files. */
export const FILE_OUTSIDE =
  "A table that the query reads refers to a file that is a link or is outside the storage location. svc doesn't read such files. Roll the table back to a snapshot from before they were added.";

/** What the engine writes before the error of a statement that it runs as a tree. */
const OF_A_TREE = /^Invalid Input Error: Attempting to fetch from an unsuccessful query result\nError: /;

/** A defect of the engine, with its stack. */
const DEFECT = /^(?:INTERNAL|FATAL) Error: /;
const ENGINE_DEFECT =
  'The query engine has a defect that this statement triggers. Write the statement in another way, and report it to the operator.';

/** Error classes of the query itself. */
const ABOUT_THE_QUERY = /^(Parser|Binder|Catalog|Not implemented|Syntax) Error: /i;

/** Of these, the one whose text may quote values in the data, such as an unknown time zone. */
const MAY_QUOTE_VALUES = /^Not implemented Error: /i;

/** Maximum length of an engine message that is examined: it may quote the whole statement and values of any length. */
const MAX_RAW_MESSAGE = 8192;
const NULL_MARK = 'svc:null:';
const FUNCTION_MARK = 'svc:function:';

/** The name in an error that one of our statements raised, or null. */
function nameAfter(mark: string, text: string): string | null {
  const start = text.indexOf(mark);
  const end = start === -1 ? -1 : text.indexOf(':svc', start + mark.length);
  return end === -1 ? null : text.slice(start + mark.length, end);
}

/**
 * Turns the engine's message into one that is safe to show: without rewritten text, paths or generated names, and
 * without anything that may contain a cell's value if the reader's view of a table is filtered or masked.
 */
export function engineError(raw: string, options: { readonly restricted: boolean }): QueryError {
  const text = raw.slice(0, MAX_RAW_MESSAGE).replace(OF_A_TREE, '');
  const nullColumn = nameAfter(NULL_MARK, text);
  if (nullColumn !== null) return nullNotAllowed(nullColumn).error;
  const sessionName = nameAfter(FUNCTION_MARK, text);
  if (sessionName !== null)
    return { code: 'function-not-allowed', message: `The function "${sessionName}" isn't available in queries.` };
  const first = text.split(/\nLINE \d+:/, 1)[0]!.trim();
  if (/^Out of Memory Error/i.test(first)) {
    if (/temp|disk|offload/i.test(first) && /max_temp_directory_size|No space/i.test(first)) {
      return {
        code: 'disk-full',
        message: 'The query exceeded its limit of temporary disk space. Query less data at a time.',
      };
    }
    return childExitError('out-of-memory');
  }
  if (/^IO Error: .*No space left/i.test(first)) {
    return DISK_FULL;
  }
  if (ABOUT_THE_DISK.test(first)) return DISK_FAULT;
  if (/^IO Error: .*No such file/i.test(first)) return { code: 'execution-error', message: FILE_GONE };
  if (ABOUT_A_FILE.test(first)) return { code: 'execution-error', message: FILE_DAMAGED };
  if (DEFECT.test(first)) return { code: 'execution-error', message: ENGINE_DEFECT };
  const aboutQuery = ABOUT_THE_QUERY.test(first);
  const code = aboutQuery ? 'binder-error' : 'execution-error';
  const isSafe = aboutQuery && !MAY_QUOTE_VALUES.test(first);
  if (options.restricted && !isSafe) return { code, message: genericOf(first) };
  return { code, message: engineWording(withoutInternals(first)) };
}

function genericOf(message: string): string {
  const kind = /^([A-Za-z ]+) Error:/.exec(message)?.[1]?.toLowerCase() ?? 'execution';
  return (
    `The query failed with an error of type "${kind}". Its message is hidden because a row filter or column mask ` +
    'applies to you on a table that the query reads.'
  );
}

function withoutInternals(message: string): string {
  return (
    message
      .replaceAll(/"?\blake\b"?\./g, '')
      // In a text such as 03/05/2026, the slash isn't the start of a path.
      .replaceAll(/(?<![\w.])(?:file:)?\/(?:[^\s"'/,;:()]+\/)+[^\s"',;:()]*/g, '[file]')
      .slice(0, 2000)
  );
}
