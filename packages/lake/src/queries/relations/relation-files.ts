import {
  boundsOf,
  columnTypeOf,
  type DeleteFile,
  fieldPath,
  hasBloomFilters,
  type IcebergField,
  type ScanFile,
  UnsupportedTableError,
} from '@svc/iceberg';
import { identifier, literal, literals, type Sql, sql } from '../sql-text.ts';
import type { DeletedPosition } from './deleted-positions.ts';
import { FieldSql, isUnskippable } from './field-sql.ts';
import type { FileLayout } from './file-layout.ts';
import type { ManagedFiles } from './relations.ts';

/** How to read files on this machine. */
export type FileAccess = {
  readonly localPath: (location: string) => Promise<string>;
  /** The columns of local files, by path. */
  readonly layouts: (paths: readonly string[]) => Promise<ReadonlyMap<string, FileLayout>>;
};

/** Column names that no file of a table can have: a row's file and its number in it. */
export const ROW_POSITION = { file: 'svc:file', row: 'svc:row' } as const;
export const FILE = identifier(ROW_POSITION.file);
export const NO_FILE = 'svc:none';

export function readFiles(paths: readonly string[]): Sql {
  return sql`read_parquet(${literals(paths)}, hive_partitioning = false, filename = ${literal(ROW_POSITION.file)}, file_row_number = true)`;
}

/** Whether a file can be read by name without changes. */
export const isPlain = (file: ScanFile): boolean => file.sameColumns === true && file.deletes.length === 0;

/** Whether the smallest and largest values of a floating-point column may leave out NaN in a file that another engine may have written. */
function mayHideNan({ statistics }: ScanFile, field: IcebergField): boolean {
  if (typeof field.type !== 'string' || statistics === undefined) return true;
  return boundsOf(statistics, field)?.mayHaveNan !== false;
}

/** The files of a relation: their local paths and columns. */
export class RelationFiles {
  readonly relation: ManagedFiles;
  private readonly local: ReadonlyMap<string, string>;
  private readonly layouts: ReadonlyMap<string, FileLayout>;
  private readonly readers = new Map<FileLayout, FieldSql>();
  private readonly unskippable: ReadonlySet<number>;

  private constructor(
    relation: ManagedFiles,
    local: ReadonlyMap<string, string>,
    layouts: ReadonlyMap<string, FileLayout>,
  ) {
    this.relation = relation;
    this.local = local;
    this.layouts = layouts;
    this.unskippable = this.unskippableIn(relation.files);
  }

  static async open(relation: ManagedFiles, access: FileAccess): Promise<RelationFiles> {
    const local = new Map<string, string>();
    const shaped = new Set<string>();
    const add = async (location: string) => {
      const localPath = local.get(location);
      if (localPath !== undefined) return localPath;
      const path = await access.localPath(location);
      local.set(location, path);
      return path;
    };
    for (const file of relation.files) {
      const path = await add(file.location);
      if (!isPlain(file)) shaped.add(path);
      for (const deletion of file.deletes) {
        const at = await add(deletion.location);
        if (deletion.kind === 'equality') shaped.add(at);
      }
    }
    return new RelationFiles(relation, local, await access.layouts([...shaped]));
  }

  /** The files that the engine itself opens; deletion vectors are read before. */
  paths(): string[] {
    const vectors = new Set(this.deletes('vector').map((d) => d.location));
    return [...this.local].filter(([location]) => !vectors.has(location)).map(([, path]) => path);
  }

  vectors(): DeletedPosition[] {
    return this.relation.files.flatMap(({ location, rows, deletes }) =>
      deletes.flatMap((d) => {
        if (d.kind !== 'vector') return [];
        const { offset, length, deleted } = d;
        return [{ path: this.pathOf(d.location), offset, length, file: this.pathOf(location), rows, deleted }];
      }),
    );
  }

  /**
   * The field of an equality delete, from the top level down: from the schema being read, otherwise from a former
   * schema.
   */
  keyField(id: number): readonly IcebergField[] {
    const { fields, formerSchemas = [] } = this.relation;
    for (const struct of [{ type: 'struct' as const, fields }, ...formerSchemas]) {
      const path = fieldPath(struct, id);
      if (path) return path;
    }
    throw new UnsupportedTableError(
      `The table has equality deletes on a column (id ${id}) that isn't in any of its schemas.`,
    );
  }

  /** Ids of the columns by which the engine would skip rows of these files that match a condition. */
  unskippableIn(files: readonly ScanFile[]): ReadonlySet<number> {
    const filtered = files.some(({ location }) => hasBloomFilters(location));
    // The values of files with the table's own columns, which svc wrote, never leave out NaN.
    const others = files.filter(({ sameColumns }) => sameColumns !== true);
    const unskippable = this.relation.fields.filter((field) =>
      isUnskippable(columnTypeOf(field.type), () => filtered || others.some((file) => mayHideNan(file, field))),
    );
    return new Set(unskippable.map(({ id }) => id));
  }

  keySql(path: readonly IcebergField[], value: (field: IcebergField) => Sql): Sql {
    return path.slice(1).reduce((at, field) => sql`struct_extract(${at}, ${literal(field.name)})`, value(path[0]!));
  }

  /** Columns whose values come from the partition because the file lacks them. */
  constantIds(file: ScanFile): number[] {
    if (!file.constants || file.constants.size === 0) return [];
    const fieldSql = this.fieldSql(file.location);
    const wanted = new Set(this.relation.fields.map((f) => f.id));
    return [...file.constants.keys()].filter((id) => wanted.has(id) && !fieldSql.has(id));
  }

  deletes<K extends DeleteFile['kind']>(kind: K, files: readonly ScanFile[] = this.relation.files) {
    const found = new Set(files.flatMap((file) => file.deletes.filter((d) => d.kind === kind)));
    return [...found] as Extract<DeleteFile, { kind: K }>[];
  }

  pathOf(location: string): string {
    return this.local.get(location)!;
  }

  layoutOf(location: string): FileLayout {
    return this.layouts.get(this.pathOf(location))!;
  }

  fieldSql(location: string): FieldSql {
    const layout = this.layoutOf(location);
    const existing = this.readers.get(layout);
    if (existing) return existing;
    const mapping = this.relation.nameMapping ?? null;
    const fieldSql = new FieldSql(layout, { mapping, unskippable: this.unskippable });
    this.readers.set(layout, fieldSql);
    return fieldSql;
  }
}
