import type { Asset } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { ownValue } from '@svc/core/own-value';
import { columnNamesFault, RENAME_COLUMN } from '@svc/core/tables';
import { startCreation } from '@svc/db/drops';
import {
  columnsOfFields,
  currentSchema,
  evolveSchema,
  fieldsOfColumns,
  type IcebergField,
  readTableMetadata,
  type TableMetadata,
  type TableUpdate,
  type WriteLayout,
} from '@svc/iceberg';
import { documentedSchema, newTableLocation } from '@svc/lake/tables';
import { filledTypeText } from '@svc/lake/writes';
import { layoutFor } from '../../tables/layout.ts';
import { failure } from '../../work/failures.ts';
import type { TaskWork } from '../run-work.ts';
import type { BuildStart } from './build-start.ts';
import type { RowColumn, RowSource, WrittenRows } from './row-source.ts';
import { isFailure, type Target } from './target.ts';

/** The new rows of a table, written but not committed, with the schema that they need. */
export interface TablePlan {
  target: Target;
  base: { metadata: TableMetadata; location: string } | null;
  location: string;
  fields: readonly IcebergField[];
  updates: readonly TableUpdate[];
  /** The names of the columns that the rows have; empty if a function returned no rows. */
  columns: readonly string[];
  layout: WriteLayout | undefined;
  mode: BuildStart['mode'];
  written: WrittenRows;
}

/** Writes the rows of a source for the table as it is now, or for a new one. */
export async function planTable(
  work: TaskWork,
  target: Target,
  source: RowSource,
  mode: BuildStart['mode'],
): Promise<TablePlan | Failure> {
  const { deps, asset } = work;
  const pointer = target.table?.metadata_location ?? null;
  const base = pointer === null ? null : { metadata: await readTableMetadata(deps.store, pointer), location: pointer };
  if (base === null && source.columns.length === 0) return withoutColumns(asset.name);
  const before = base === null ? [] : currentSchema(base.metadata).fields.map(({ name }) => name);
  const fault = columnNamesFault(source.columns.filter(({ name }) => !before.includes(name)));
  if (fault !== null) return failure('column-mismatch', fault, RENAME_COLUMN);
  const location = base?.metadata.location ?? (await freshLocation(work));
  if (base === null) await startCreation(deps.db.prisma, { location, now: deps.clock() });
  const columns = source.columns.map(({ name }) => name);
  const schema = base === null ? newSchema(asset, source) : evolved(base.metadata, { asset, source, mode });
  const layout = base === null ? undefined : layoutFor(base.metadata, schema.fields);
  if (layout !== undefined && isFailure(layout)) return layout;
  const { fields } = schema;
  const written = await source.write({ tableLocation: location, fields, layout, target: base?.metadata });
  if (isFailure(written)) return written;
  return { target, base, location, ...schema, columns, layout, mode, written };
}

/** Without rows the columns are unknown: an existing table keeps its own. */
const withoutColumns = (name: string) =>
  failure(
    'no-columns',
    `${name} returned no rows, and there is no table yet to take the columns from.`,
    'Return at least one row the first time, or an Arrow table or DataFrame, which has columns even without rows.',
  );

async function freshLocation({ deps, environment }: TaskWork): Promise<string> {
  return newTableLocation({ root: await deps.store.rootOf(environment.id) }, environment.id, deps);
}

interface Schema {
  fields: readonly IcebergField[];
  updates: readonly TableUpdate[];
}

const newSchema = (asset: Asset, source: RowSource): Schema => ({
  fields: fieldsOfColumns(declared(asset, source, [])).fields,
  updates: [],
});

/** Adds descriptions to the schema, so that engines see them. Only rows that replace all others can have other columns. */
function evolved(
  metadata: TableMetadata,
  { asset, source, mode }: { asset: Asset; source: RowSource; mode: BuildStart['mode'] },
): Schema {
  if (mode === 'replace' && source.columns.length > 0)
    return evolveSchema(metadata, declared(asset, source, columnsOfFields(currentSchema(metadata))));
  const columns = source.columns.map(({ name }) => name);
  return { fields: currentSchema(metadata).fields, updates: described(metadata, asset, columns) };
}

/** Columns without a value have the type of those that they replace. */
const declared = (asset: Asset, source: RowSource, existing: readonly RowColumn[]) =>
  source.columns.map((column) => ({
    name: column.name,
    type: filledTypeText(column.type, column.untyped, existing.find(({ name }) => name === column.name)?.type ?? null),
    nullable: true,
    description: ownValue(asset.columns, column.name) ?? null,
  }));

/** The updates that show the asset's descriptions of these columns to engines. */
export function described(metadata: TableMetadata, asset: Asset, columns: readonly string[]): readonly TableUpdate[] {
  const descriptions = columns.flatMap((name) => {
    const description = ownValue(asset.columns, name);
    return description === undefined ? [] : [{ name, description }];
  });
  return documentedSchema(metadata, descriptions);
}
