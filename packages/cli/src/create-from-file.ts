import { shellLine } from '@svc/core/command-lines';
import { type BreakGlass, type Column, type CreatedTable, type LoadFormat, NotFound } from '@svc/sdk';
import type { NewColumn } from './arguments/column-option.ts';
import { usageError } from './cli-error.ts';
import type { CommandContext } from './svc-command.ts';
import { sampleOf } from './table-load.ts';

interface FromFile {
  table: string;
  file: string;
  format: LoadFormat;
  /** Columns whose types are not inferred. */
  columns: readonly NewColumn[];
}

export async function tableExists({ client, environment }: CommandContext, table: string): Promise<boolean> {
  return client.tables.get(environment, table).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotFound) return false;
      throw error;
    },
  );
}

/** The columns of a file, with these ones instead of those that the service infers. */
export async function inferColumns(
  command: CommandContext,
  { table, file, format, columns }: FromFile,
): Promise<Column[]> {
  const { client, environment } = command;
  if (file === '-') throw usageError("Standard input can't be read twice. Name a file, or create the table first.");
  const namespace = table.slice(0, table.lastIndexOf('.'));
  const sample = await sampleOf(file, format);
  const { columns: inferred } = await client.tables.infer(environment, namespace, sample, { format });
  const own = new Map(columns.map((column) => [column.name.toLowerCase(), column]));
  const absent = columns.find(({ name }) => !inferred.some((column) => isSame(column.name, name)));
  if (absent !== undefined) {
    const names = inferred.map(({ name }) => name).join(', ');
    throw usageError(`The file has no column "${absent.name}". Its columns: ${names}.`);
  }
  return inferred.map((column) => ({ ...column, ...own.get(column.name.toLowerCase()), name: column.name }));
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Creates a table with the columns of a file, and shows them. */
export async function createFrom(
  command: CommandContext,
  from: FromFile,
  options: BreakGlass & { description?: string; expire_after?: number; identifier_fields?: string[] } = {},
): Promise<CreatedTable> {
  const columns = await inferColumns(command, from);
  const created = await command.client.tables.create(command.environment, from.table, { columns, ...options });
  const list = columns.map(({ name, type, nullable }) => `${name} ${type}${nullable ? '' : ' (required)'}`).join(', ');
  command.note(`Created the managed table ${from.table}: ${list}.`);
  return created;
}

/** The command that creates a table with these columns. */
export function createCommand(table: string, columns: readonly Column[], environment: string): string {
  const options = columns.flatMap(({ name, type, nullable }) => ['--column', `${name}:${type}${nullable ? '' : '!'}`]);
  return shellLine(['svc', 'table', 'create', table, '--env', environment, ...options]);
}
