import { readFile } from 'node:fs/promises';
import { usageError } from '../cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { readStdin } from '../terminal/stdin.ts';

/** The statement of an argument, of the file of `--from`, or of standard input for `-`. @throws CliError unless it is exactly one */
export async function readStatement(io: Io, statement: string | undefined, from: string | undefined): Promise<string> {
  if (from !== undefined && statement !== undefined)
    throw usageError('Write the statement, or name its file with --from.');
  if (from === undefined) {
    if (statement === undefined) throw usageError('Write the SQL statement, or name its file with --from.');
    return statement === '-' ? readStdin(io) : statement;
  }
  return readFile(from, 'utf8').catch(() => {
    throw usageError(`The file ${from} can't be read.`);
  });
}
