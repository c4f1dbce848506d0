import type { DataFileRecord, IcebergField, PositionDeletes, ScanFile, TableScan } from '@svc/iceberg';
import type { Relation } from '@svc/lake/queries';

/** What a change replaces and adds. */
export interface WrittenChange {
  readonly removed: ScanFile[];
  readonly files: DataFileRecord[];
  readonly deletes: PositionDeletes[];
}

export const allFiles = ({ files, deletes }: WrittenChange) => [...files, ...deletes.map(({ file }) => file)];

/** The rows of the table once the change is committed. */
export function contentsAfter(scan: TableScan, { removed, files: written, deletes }: WrittenChange): Relation {
  const replaced = new Set(removed);
  const marked = new Set(deletes.map(({ of }) => of));
  const remaining = scan.files
    .filter((file) => !replaced.has(file))
    .map((file) => {
      if (!marked.has(file.location)) return file;
      const own = deletes.filter(({ of }) => of === file.location);
      const more = own.map((one) => ({ kind: 'position', location: one.file.file_path }) as const);
      return { ...file, deletes: [...file.deletes, ...more] };
    });
  const { nameMapping = null, formerSchemas = [], schema } = scan;
  const files = [...remaining, ...written.map(asScanned)];
  return { kind: 'managed', fields: schema.fields, files, nameMapping, formerSchemas };
}

/** Files that were just written, as a table. */
export const writtenRows = (fields: readonly IcebergField[], files: readonly DataFileRecord[]): Relation => ({
  kind: 'managed',
  fields,
  files: files.map(asScanned),
});

export const asScanned = ({ file_path, record_count, file_size_in_bytes }: DataFileRecord): ScanFile => ({
  location: file_path,
  rows: Number(record_count),
  bytes: Number(file_size_in_bytes),
  deletes: [],
  sameColumns: true,
});
