import { type CsvOptions, type LoadFormat, NotFound } from '@svc/sdk/browser';
import { svc } from '../service/client.ts';
import { type Following, loadFile } from './send-file.ts';
import { columnsOf, csvOptionsOf, type DraftColumn, draftOf, formatOf, renamesOf, sampleOf } from './upload-file.ts';

/** A file with what the service inferred from it. */
export interface InferredFile {
  readonly file: File;
  readonly format: LoadFormat;
  readonly csv: CsvOptions | undefined;
  readonly columns: readonly DraftColumn[];
}

/** Infers the columns of a file. The service stores nothing. */
export async function inferFile(env: string, namespace: string, file: File): Promise<InferredFile> {
  const format = formatOf(file);
  const options = format === 'csv' ? { format, csv: { detect: true } } : { format };
  const { columns, csv } = await svc.tables.infer(env, namespace, await sampleOf(file, format), options);
  return { file, format, csv: csvOptionsOf(csv), columns: columns.map(draftOf) };
}

/** A table that an earlier attempt has created: the next one doesn't create it again. */
export interface CreatedTable {
  readonly id: string;
  readonly table: string;
  /** As text. */
  readonly columns: string;
}

interface NewTable extends InferredFile {
  readonly env: string;
  /** The full name. */
  readonly table: string;
  readonly breakGlass: string | undefined;
}

interface Creation extends Following {
  readonly earlier: CreatedTable | null;
  readonly onCreated: (table: CreatedTable | null) => void;
}

/** Drops the table of an earlier attempt, unless it has been replaced or has rows by now. */
async function dropEmpty({ env, table, breakGlass }: NewTable, { id }: CreatedTable): Promise<void> {
  const now = await svc.tables.get(env, table).catch((error: unknown) => {
    if (error instanceof NotFound) return null;
    throw error;
  });
  if (now === null) return;
  if (now.id !== id || (now.row_count ?? 0) > 0)
    throw new Error(`${table} has rows by now. Choose another name for the table.`);
  await svc.tables.delete(env, table, { breakGlass });
}

async function createTable(plan: NewTable, { earlier, onCreated }: Creation): Promise<void> {
  const { env, table, breakGlass } = plan;
  const columns = columnsOf(plan.columns);
  const text = JSON.stringify(columns);
  if (earlier?.table === table) {
    if (earlier.columns === text) return;
    await dropEmpty(plan, earlier);
    onCreated(null);
  }
  const { id } = await svc.tables.create(env, table, { columns, breakGlass });
  onCreated({ id, table, columns: text });
}

/** Creates the table, loads the file and renames the columns. Returns the number of rows. */
export async function createFromFile(plan: NewTable, creation: Creation): Promise<number> {
  const { env, table, breakGlass, columns, ...file } = plan;
  const { report } = creation;
  if (creation.attempt.started === null) {
    report({ text: 'Creating the table …', part: null, canStop: true });
    await createTable(plan, creation);
  }
  // A second attempt must not load the rows twice.
  const write = await loadFile({ env, table, breakGlass, ...file, mode: 'replace' }, creation);
  const rename = renamesOf(columns);
  if (Object.keys(rename).length > 0) {
    report({ text: 'Renaming the columns …', part: null, canStop: false });
    await svc.tables.alter(env, table, { rename }, { breakGlass });
  }
  return write.rows ?? 0;
}
