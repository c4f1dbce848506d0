import type { QueryError } from '../queries/index.ts';

/** Why a file could not be loaded, worded for the user who sent it. */
export type LoadError = {
  readonly code:
    | 'file-malformed'
    | 'unknown-column'
    | 'missing-column'
    | 'wrong-type'
    | 'wrong-value'
    | 'null-not-allowed'
    | 'too-many-rejected-lines'
    | QueryError['code'];
  readonly message: string;
  /** Counted from 1, including the header; for Parquet, the row. */
  readonly line?: number;
  readonly column?: string;
  readonly value?: string;
};

/** Carries a LoadError out of the steps of a load. */
export class LoadRejectedError extends Error {
  readonly error: LoadError;

  constructor(error: LoadError) {
    super(error.message);
    this.name = 'LoadRejectedError';
    this.error = error;
  }
}

export function malformed(message: string, line?: number): LoadRejectedError {
  const at = line === undefined ? '' : `Line ${line}: `;
  return new LoadRejectedError({
    code: 'file-malformed',
    message: at + message,
    ...(line === undefined ? {} : { line }),
  });
}

const MAX_SHOWN = 200;

export function invalidValueError(line: number, column: string, type: string, text: string): LoadRejectedError {
  const value = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  const message = `Line ${line}, column "${column}": ${JSON.stringify(value)} isn't a valid ${type}.`;
  return new LoadRejectedError({ code: 'wrong-value', message, line, column, value });
}

export function nullValue(line: number, column: string): LoadRejectedError {
  const message = `Line ${line}, column "${column}": the value is missing, but the column must not be null.`;
  return new LoadRejectedError({ code: 'null-not-allowed', message, line, column });
}

export function unknownColumn(column: string, known: readonly string[], line?: number): LoadRejectedError {
  const at = line === undefined ? '' : `Line ${line}: `;
  const message = `${at}The table has no column "${column.slice(0, MAX_SHOWN)}". Available columns: ${known.join(', ')}.`;
  return new LoadRejectedError({ code: 'unknown-column', message, column, ...(line === undefined ? {} : { line }) });
}

export function missingColumn(column: string, line?: number): LoadRejectedError {
  const at = line === undefined ? '' : `Line ${line}: `;
  const message = `${at}The file lacks the column "${column}", which must not be null.`;
  return new LoadRejectedError({ code: 'missing-column', message, column, ...(line === undefined ? {} : { line }) });
}
