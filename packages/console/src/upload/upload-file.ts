import { formatOfName, sampleRange, uncompressedName, wholeLines } from '@svc/core/load-files';
import type { Column, CsvDialect, CsvOptions, LoadFormat } from '@svc/sdk/browser';
import { svcCommand } from '../text/commands.ts';

/** The format of a file by its extension. @throws Error for another extension */
export function formatOf({ name }: Pick<File, 'name'>): LoadFormat {
  const format = formatOfName(name);
  if (format !== undefined) return format;
  throw new Error(`The format of ${name} is unknown. Choose a file that ends in .csv, .ndjson, .jsonl or .parquet.`);
}

/** A name for the table of a file: letters, digits and `_`, at most 128 of them. */
export function tableNameOf(file: string): string {
  const base = uncompressedName(file).replace(/\.[^.]*$/, '');
  const parts = base.split(/[^A-Za-z0-9]+/).filter((part) => part !== '');
  const name = parts.join('_') || 'data';
  return (/^\d/.test(name) ? `_${name}` : name).slice(0, 128);
}

/** The bytes of a file from which its columns are inferred. */
export async function sampleOf(file: Blob, format: LoadFormat): Promise<Uint8Array> {
  const { start, end } = sampleRange(file.size, format);
  return wholeLines(new Uint8Array(await file.slice(start, end).arrayBuffer()), file.size, format);
}

/** What CSV was read as when its columns were inferred, to load it with. */
export const csvOptionsOf = (csv: CsvDialect | null): CsvOptions | undefined =>
  csv === null
    ? undefined
    : (Object.fromEntries(Object.entries(csv).filter(([, value]) => value !== null)) as CsvOptions);

/** A column of the file, as the table gets it. */
export interface DraftColumn {
  /** In the file. */
  readonly source: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

export const draftOf = ({ name, type, nullable }: Column): DraftColumn => ({ source: name, name, type, nullable });

/** Loads match columns by the names of the file, so the table starts with these. */
export const columnsOf = (drafts: readonly DraftColumn[]) =>
  drafts.map(({ source, type, nullable }) => ({ name: source, type: type.trim(), nullable }));

/** The new names by those of the file. */
export const renamesOf = (drafts: readonly DraftColumn[]): Record<string, string> =>
  Object.fromEntries(drafts.flatMap(({ source, name }) => (source === name ? [] : [[source, name]])));

/** What is wrong with the names of the columns; null if nothing is. */
export function nameError(drafts: readonly DraftColumn[]): string | null {
  const seen = new Set<string>();
  for (const { name, source } of drafts) {
    if (name.trim() === '') return `The column "${source}" needs a name.`;
    const key = name.toLowerCase();
    if (seen.has(key)) return `Two columns are named "${name}".`;
    seen.add(key);
  }
  return null;
}

export interface UploadNames {
  readonly env: string;
  /** The full name. */
  readonly table: string;
  readonly file: string;
}

/** The commands that create and load the same table. */
export function newTableCommands(
  { env, table, file }: UploadNames,
  columns: readonly DraftColumn[],
  inferred: readonly DraftColumn[],
): string[] {
  const changed = columns.filter(
    ({ type, nullable }, index) => type !== inferred[index]?.type || nullable !== inferred[index].nullable,
  );
  const column = changed.map(({ source, type, nullable }) => `${source}:${type}${nullable ? '' : '!'}`);
  const rename = Object.entries(renamesOf(columns)).map(([from, to]) => `${from}=${to}`);
  return [
    ...(column.length > 0 ? [svcCommand('table create', table, { env, from: file, column })] : []),
    svcCommand('table load', [table, file], { env, create: column.length === 0 }),
    ...(rename.length > 0 ? [svcCommand('table alter', table, { env, rename })] : []),
  ];
}

/** How the rows of a file change a table that exists. */
export interface LoadChoice {
  readonly mode: 'append' | 'replace' | 'merge';
  /** For `merge`; none for the identifier fields of the table. */
  readonly key: readonly string[];
  /** Lines that can't be loaded are left out. */
  readonly skips: boolean;
}

/** The command that loads a file into a table. */
export function loadCommand({ env, table, file }: UploadNames, { mode, key, skips }: LoadChoice): string {
  const options = { mode: mode === 'append' ? undefined : mode, key: mode === 'merge' ? key : undefined };
  return svcCommand('table load', [table, file], { env, ...options, 'on-error': skips ? 'skip' : undefined });
}
