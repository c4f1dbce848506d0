import { shellLine } from '@svc/core/command-lines';
import { type BreakGlass, type Column, type CreatedTable, type CsvOptions, type LoadFormat, NotFound } from '@svc/sdk';
import type { NewColumn } from '../arguments/column-option.ts';
import { detectedText, optionsOf } from '../arguments/csv-flags.ts';
import { usageError } from '../cli-error.ts';
import type { CommandContext } from '../svc-command.ts';
import { isUrl } from './input-files.ts';
import { sampleOf } from './table-load.ts';

interface FromFile {
  table: string;
  file: string;
  format: LoadFormat;
  csv?: CsvOptions | undefined;
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

/** The columns of a file, with these ones instead of those that the service infers, and what CSV is read as. */
export async function inferColumns(
  command: CommandContext,
  { table, file, format, csv, columns }: FromFile,
): Promise<{ columns: Column[]; csv?: CsvOptions }> {
  const { client, environment } = command;
  if (file === '-') throw usageError("Standard input can't be read twice. Name a file, or create the table first.");
  const namespace = table.slice(0, table.lastIndexOf('.'));
  const sample = isUrl(file) ? { url: file } : await sampleOf(file, format);
  const found = await client.tables.infer(environment, namespace, sample, { format, csv });
  const inferred = found.columns;
  const detected = detectedText(found.csv, csv);
  if (detected !== null) command.note(detected);
  const own = new Map(columns.map((column) => [column.name.toLowerCase(), column]));
  const absent = columns.find(({ name }) => !inferred.some((column) => isSame(column.name, name)));
  if (absent !== undefined) {
    const names = inferred.map(({ name }) => name).join(', ');
    throw usageError(`The file has no column "${absent.name}". Its columns: ${names}.`);
  }
  return {
    columns: inferred.map((column) => ({ ...column, ...own.get(column.name.toLowerCase()), name: column.name })),
    ...(found.csv === null ? {} : { csv: optionsOf(found.csv) }),
  };
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Creates a table with the columns of a file, and shows them. Returns what CSV is to be read as. */
export async function createFrom(
  command: CommandContext,
  from: FromFile,
  options: BreakGlass & { description?: string; expire_after?: number; identifier_fields?: string[] } = {},
): Promise<{ created: CreatedTable; csv?: CsvOptions }> {
  const { columns, ...as } = await inferColumns(command, from);
  const created = await command.client.tables.create(command.environment, from.table, { columns, ...options });
  const list = columns.map(({ name, type, nullable }) => `${name} ${type}${nullable ? '' : ' (required)'}`).join(', ');
  command.note(`Created the managed table ${from.table}: ${list}.`);
  return { created, ...as };
}

/** The command that creates a table with these columns. */
export function createCommand(table: string, columns: readonly Column[], environment: string): string {
  const options = columns.flatMap(({ name, type, nullable }) => ['--column', `${name}:${type}${nullable ? '' : '!'}`]);
  return shellLine(['svc', 'table', 'create', table, '--env', environment, ...options]);
}
