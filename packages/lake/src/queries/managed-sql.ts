import {
  columnTypeOf,
  type DeleteFile,
  duckdbType,
  fieldPath,
  type IcebergField,
  type ScanFile,
  UnsupportedTableError,
} from '../tables/index.ts';
import { type DeletedPosition, POSITIONS } from './deleted-positions.ts';
import { constantSql, FieldSql } from './field-sql.ts';
import type { FileLayout } from './file-layout.ts';
import type { ManagedFiles } from './relations.ts';
import { identifier, literal, literals } from './sql-text.ts';

/** A SELECT that gives the relation's rows and columns, and what it needs to be run. */
export type RelationSql = {
  readonly sql: string;
  readonly paths: readonly string[];
  readonly columns: readonly string[];
  /** Deletion vectors to be laid out in the engine before. */
  readonly vectors?: readonly DeletedPosition[];
};

/** What reading files needs to know of this machine. */
export type FileAccess = {
  readonly localPath: (location: string) => Promise<string>;
  /** The columns of local files, by path. */
  readonly layouts: (paths: readonly string[]) => Promise<ReadonlyMap<string, FileLayout>>;
};

type Equality = Extract<DeleteFile, { kind: 'equality' }>;

/** Columns that no file of a table can have. */
const FILE = identifier('svc:file');
const NO_FILE = 'svc:none';

/**
 * Reads the data files by field id, with what files of other writers lack, and applies the deletes. Files known to have
 * the columns as they stand are read by name, and none of their footers is looked at before.
 */
export async function managedSql(relation: ManagedFiles, access: FileAccess): Promise<RelationSql> {
  const columns = relation.fields.map((f) => f.name);
  const reader = await TableReader.open(relation, access);
  const selects = reader.selects();
  if (selects.length === 0)
    selects.push(selectNothing(relation.fields.map((f) => [f.name, duckdbType(columnTypeOf(f.type))])));
  return { sql: selects.join('\nUNION ALL\n'), paths: reader.paths(), columns, vectors: reader.vectors() };
}

export function selectNothing(columns: readonly (readonly [string, string])[]): string {
  const list = columns.map(([name, type]) => `CAST(NULL AS ${type}) AS ${identifier(name)}`);
  return `SELECT ${list.join(', ')} WHERE false`;
}

const isPlain = (file: ScanFile): boolean => file.sameColumns === true && file.deletes.length === 0;

class TableReader {
  private readonly relation: ManagedFiles;
  private readonly local: ReadonlyMap<string, string>;
  private readonly layouts: ReadonlyMap<string, FileLayout>;
  private readonly readers = new Map<FileLayout, FieldSql>();

  private constructor(
    relation: ManagedFiles,
    local: ReadonlyMap<string, string>,
    layouts: ReadonlyMap<string, FileLayout>,
  ) {
    this.relation = relation;
    this.local = local;
    this.layouts = layouts;
  }

  static async open(relation: ManagedFiles, access: FileAccess): Promise<TableReader> {
    const local = new Map<string, string>();
    const shaped = new Set<string>();
    const add = async (location: string) => {
      const held = local.get(location);
      if (held !== undefined) return held;
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
    return new TableReader(relation, local, await access.layouts([...shaped]));
  }

  /** What the engine opens itself; deletion vectors are read before it. */
  paths(): string[] {
    const vectors = new Set(this.deletes('vector').map((d) => d.location));
    return [...this.local].filter(([location]) => !vectors.has(location)).map(([, path]) => path);
  }

  vectors(): DeletedPosition[] {
    return this.relation.files.flatMap((file) =>
      file.deletes.flatMap((d) =>
        d.kind === 'vector'
          ? [{ path: this.pathOf(d.location), offset: d.offset, length: d.length, file: this.pathOf(file.location) }]
          : [],
      ),
    );
  }

  selects(): string[] {
    const { files, fields } = this.relation;
    const selects: string[] = [];
    const plain = files.filter(isPlain).map((f) => this.pathOf(f.location));
    if (plain.length > 0) {
      const list = fields.map((f) => identifier(f.name)).join(', ');
      selects.push(`SELECT ${list} FROM read_parquet(${literals(plain)}, hive_partitioning = false)`);
    }
    for (const group of this.groups(files.filter((f) => !isPlain(f)))) selects.push(this.select(group));
    return selects;
  }

  /** Files read by one SELECT: of one layout, all or none with deletes and values of the partition. */
  private groups(files: readonly ScanFile[]): ScanFile[][] {
    const groups = new Map<string, ScanFile[]>();
    const numbers = new Map<FileLayout, number>();
    for (const file of files) {
      const layout = this.layoutOf(file.location);
      const number = numbers.get(layout) ?? numbers.size;
      numbers.set(layout, number);
      const keys = new Set(file.deletes.map((d) => (d.kind === 'equality' ? d.fieldIds.join('.') : d.kind)));
      const key = `${number} ${[...keys].toSorted().join(' ')} ${this.constantIds(file).join('.')}`;
      groups.set(key, [...(groups.get(key) ?? []), file]);
    }
    return [...groups.values()];
  }

  private select(files: readonly ScanFile[]): string {
    const { fields } = this.relation;
    const fieldSql = this.fieldSql(files[0]!.location);
    const constants = this.constantIds(files[0]!);
    const deletes = this.deletes('equality', files);
    const keys = [...new Set(deletes.flatMap((d) => d.fieldIds))].map((id) => this.keyField(id));
    const value = (field: IcebergField) =>
      constants.includes(field.id) ? `f.c${field.id}` : fieldSql.value(field, 'd');
    const list = [
      ...fields.map((field, i) => `${value(field)} AS v${i}`),
      ...keys.map((path) => `${this.keySql(path, value)} AS k${path.at(-1)!.id}`),
    ];
    const source = readFiles(files.map((f) => this.pathOf(f.location)));
    const joined = constants.length > 0 || deletes.length > 0;
    const about = joined ? ` JOIN ${this.aboutFiles(files, constants)} ON f.path = d.${FILE}` : '';
    const more = joined ? ', f.seq, f.scope' : '';
    const rows = `SELECT ${list.join(', ')}, d.${FILE} AS file, d.file_row_number AS rownum${more} FROM ${source} d${about}`;
    const antis = [...this.positionJoins(files), ...this.equalityJoins(deletes)];
    const names = fields.map((field, i) => `q.v${i} AS ${identifier(field.name)}`);
    return `SELECT ${names.join(', ')} FROM (${rows}) q${antis.map((a) => ` ANTI JOIN ${a}`).join('')}`;
  }

  /** Sequence number, scope and partition values of each file. */
  private aboutFiles(files: readonly ScanFile[], constants: readonly number[]): string {
    const types = constants.map((id) => this.relation.fields.find((f) => f.id === id)!.type);
    const rows = files.map((file) => {
      const values = constants.map((id, i) => constantSql(types[i]!, file.constants?.get(id) ?? null));
      const scope = literal(file.scope ?? NO_FILE);
      return `(${[literal(this.pathOf(file.location)), `${file.sequence ?? 0n}::BIGINT`, scope, ...values].join(', ')})`;
    });
    return `(VALUES ${rows.join(', ')}) f(path, seq, scope${constants.map((id) => `, c${id}`).join('')})`;
  }

  private positionJoins(files: readonly ScanFile[]): string[] {
    const pairs = files.flatMap((file) =>
      file.deletes.filter((d) => d.kind === 'position').map((d) => [this.pathOf(d.location), file.location] as const),
    );
    const joins: string[] = [];
    if (pairs.length > 0) {
      const rows = pairs.map(
        ([at, location]) => `(${literal(at)}, ${literal(location)}, ${literal(this.pathOf(location))})`,
      );
      const source = readFiles([...new Set(pairs.map(([at]) => at))]);
      const named = `(VALUES ${rows.join(', ')}) n(deletes, location, file)`;
      joins.push(
        `(SELECT n.file, d.pos FROM ${source} d JOIN ${named} ON n.deletes = d.${FILE} AND n.location = d.file_path) p ON p.file = q.file AND p.pos = q.rownum`,
      );
    }
    if (files.some((file) => file.deletes.some((d) => d.kind === 'vector'))) {
      joins.push(`${POSITIONS} dv ON dv.file = q.file AND dv.pos = q.rownum`);
    }
    return joins;
  }

  /** A row is gone when a delete of a higher sequence number and its scope has its key, null being equal to null. */
  private equalityJoins(deletes: readonly Equality[]): string[] {
    const byKey = new Map<string, Equality[]>();
    for (const d of deletes) {
      const key = `${d.scope === null} ${d.fieldIds.join('.')}`;
      byKey.set(key, [...(byKey.get(key) ?? []), d]);
    }
    return [...byKey.values()].map((group, i) => {
      const name = `e${i}`;
      const ids = group[0]!.fieldIds;
      const same = ids.map((id) => `${name}.k${id} IS NOT DISTINCT FROM q.k${id}`);
      const scoped = group[0]!.scope === null ? [] : [`${name}.scope = q.scope`];
      const of = [...ids.map((id) => `k${id}`), ...(scoped.length > 0 ? ['scope'] : [])].join(', ');
      const rows = this.deletedKeys(group, ids).join('\nUNION ALL\n');
      const newest = `SELECT ${of}, max(seq) AS seq FROM (${rows}) GROUP BY ${of}`;
      return `(${newest}) ${name} ON ${[...same, ...scoped, `q.seq < ${name}.seq`].join(' AND ')}`;
    });
  }

  private deletedKeys(deletes: readonly Equality[], ids: readonly number[]): string[] {
    const byLayout = new Map<FileLayout, Equality[]>();
    for (const d of deletes) {
      const layout = this.layoutOf(d.location);
      byLayout.set(layout, [...(byLayout.get(layout) ?? []), d]);
    }
    return [...byLayout.values()].map((group) => {
      const fieldSql = this.fieldSql(group[0]!.location);
      const keys = ids.map((id) => {
        const path = this.keyField(id);
        return `${this.keySql(path, (field) => fieldSql.value(field, 'd'))} AS k${id}`;
      });
      const rows = group.map(
        (d) => `(${literal(this.pathOf(d.location))}, ${d.sequence}::BIGINT, ${literal(d.scope ?? NO_FILE)})`,
      );
      const source = readFiles(group.map((d) => this.pathOf(d.location)));
      return `SELECT ${keys.join(', ')}, f.seq, f.scope FROM ${source} d JOIN (VALUES ${rows.join(', ')}) f(path, seq, scope) ON f.path = d.${FILE}`;
    });
  }

  /** The field of an equality delete from the top down: of the schema read, else of one the table had before. */
  private keyField(id: number): readonly IcebergField[] {
    const { fields, former = [] } = this.relation;
    for (const struct of [{ type: 'struct' as const, fields }, ...former]) {
      const path = fieldPath(struct, id);
      if (path) return path;
    }
    throw new UnsupportedTableError(`The table holds deletes by a column (id ${id}) that none of its schemas has.`);
  }

  private keySql(path: readonly IcebergField[], value: (field: IcebergField) => string): string {
    return path.slice(1).reduce((at, field) => `struct_extract(${at}, ${literal(field.name)})`, value(path[0]!));
  }

  /** Columns whose values the partition tells because the file lacks them. */
  private constantIds(file: ScanFile): number[] {
    if (!file.constants || file.constants.size === 0) return [];
    const fieldSql = this.fieldSql(file.location);
    const wanted = new Set(this.relation.fields.map((f) => f.id));
    return [...file.constants.keys()].filter((id) => wanted.has(id) && !fieldSql.has(id));
  }

  private deletes<K extends DeleteFile['kind']>(kind: K, files: readonly ScanFile[] = this.relation.files) {
    const found = new Set(files.flatMap((file) => file.deletes.filter((d) => d.kind === kind)));
    return [...found] as Extract<DeleteFile, { kind: K }>[];
  }

  private pathOf(location: string): string {
    return this.local.get(location)!;
  }

  private layoutOf(location: string): FileLayout {
    return this.layouts.get(this.pathOf(location))!;
  }

  private fieldSql(location: string): FieldSql {
    const layout = this.layoutOf(location);
    const held = this.readers.get(layout);
    if (held) return held;
    const made = new FieldSql(layout, this.relation.nameMapping ?? null);
    this.readers.set(layout, made);
    return made;
  }
}

function readFiles(paths: readonly string[]): string {
  return `read_parquet(${literals(paths)}, hive_partitioning = false, filename = ${literal('svc:file')}, file_row_number = true)`;
}
