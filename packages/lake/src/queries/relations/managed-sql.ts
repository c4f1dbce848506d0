import {
  columnTypeOf,
  type DeleteFile,
  duckdbType,
  type IcebergField,
  isLineage,
  isRowId,
  type ScanFile,
} from '../../tables/index.ts';
import { identifier, literal, literals } from '../sql-text.ts';
import { type DeletedPosition, POSITIONS } from './deleted-positions.ts';
import { constantSql } from './field-sql.ts';
import type { FileLayout } from './file-layout.ts';
import { FILE, type FileAccess, isPlain, NO_FILE, RelationFiles, readFiles } from './relation-files.ts';
import type { ManagedFiles } from './relations.ts';

/** A SELECT that gives the relation's rows and columns, and what it needs to be run. */
export type RelationSql = {
  readonly sql: string;
  readonly paths: readonly string[];
  readonly columns: readonly string[];
  /** Statements to be run before. */
  readonly setup?: readonly string[];
  /** Deletion vectors to be laid out in the engine before. */
  readonly vectors?: readonly DeletedPosition[];
};

type Equality = Extract<DeleteFile, { kind: 'equality' }>;

/** More pairs of delete file and data file are not written out. */
const MOST_PAIRS = 10_000;

/**
 * Reads the data files by field id, with what files of other writers lack, and applies the deletes. Files known to have
 * the columns as they stand are read by name, and none of their footers is looked at before.
 */
export async function managedSql(relation: ManagedFiles, access: FileAccess): Promise<RelationSql> {
  const columns = relation.fields.map((f) => f.name);
  const files = await RelationFiles.open(relation, access);
  const selects = new TableReader(files).selects();
  if (selects.length === 0)
    selects.push(selectNothing(relation.fields.map((f) => [f.name, duckdbType(columnTypeOf(f.type))])));
  return { sql: selects.join('\nUNION ALL\n'), paths: files.paths(), columns, vectors: files.vectors() };
}

export function selectNothing(columns: readonly (readonly [string, string])[]): string {
  const list = columns.map(([name, type]) => `CAST(NULL AS ${type}) AS ${identifier(name)}`);
  return `SELECT ${list.join(', ')} WHERE false`;
}

class TableReader {
  private readonly files: RelationFiles;

  constructor(files: RelationFiles) {
    this.files = files;
  }

  selects(): string[] {
    const { files, fields } = this.files.relation;
    const selects: string[] = [];
    const plain = files.filter(isPlain).map((f) => this.files.pathOf(f.location));
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
      const layout = this.files.layoutOf(file.location);
      const number = numbers.get(layout) ?? numbers.size;
      numbers.set(layout, number);
      const keys = new Set(file.deletes.map((d) => (d.kind === 'equality' ? d.fieldIds.join('.') : d.kind)));
      const key = `${number} ${[...keys].toSorted().join(' ')} ${this.files.constantIds(file).join('.')}`;
      groups.set(key, [...(groups.get(key) ?? []), file]);
    }
    return [...groups.values()];
  }

  private select(files: readonly ScanFile[]): string {
    const { fields } = this.files.relation;
    const fieldSql = this.files.fieldSql(files[0]!.location);
    const constants = this.files.constantIds(files[0]!);
    const deletes = this.files.deletes('equality', files);
    const keys = [...new Set(deletes.flatMap((d) => d.fieldIds))].map((id) => this.files.keyField(id));
    const value = (field: IcebergField) => {
      if (constants.includes(field.id)) return `f.c${field.id}`;
      const held = fieldSql.value(field, 'd');
      if (!isLineage(field)) return held;
      return `coalesce(${held}, ${isRowId(field) ? 'f.first + d.file_row_number' : 'f.seq'})`;
    };
    const list = [
      ...fields.map((field, i) => `${value(field)} AS v${i}`),
      ...keys.map((path) => `${this.files.keySql(path, value)} AS k${path.at(-1)!.id}`),
    ];
    const source = readFiles(files.map((f) => this.files.pathOf(f.location)));
    const joined = constants.length > 0 || deletes.length > 0 || fields.some(isLineage);
    const about = joined ? ` JOIN ${this.aboutFiles(files, constants)} ON f.path = d.${FILE}` : '';
    const more = joined ? ', f.seq, f.scope' : '';
    const rows = `SELECT ${list.join(', ')}, d.${FILE} AS file, d.file_row_number AS rownum${more} FROM ${source} d${about}`;
    const antis = [...this.positionJoins(files), ...this.equalityJoins(deletes)];
    const names = fields.map((field, i) => `q.v${i} AS ${identifier(field.name)}`);
    return `SELECT ${names.join(', ')} FROM (${rows}) q${antis.map((a) => ` ANTI JOIN ${a}`).join('')}`;
  }

  /** Sequence number, scope and partition values of each file. */
  private aboutFiles(files: readonly ScanFile[], constants: readonly number[]): string {
    const types = constants.map((id) => this.files.relation.fields.find((f) => f.id === id)!.type);
    const rows = files.map((file) => {
      const values = constants.map((id, i) => constantSql(types[i]!, file.constants?.get(id) ?? null));
      const scope = literal(file.scope ?? NO_FILE);
      return `(${[literal(this.files.pathOf(file.location)), `${file.sequence ?? 0n}::BIGINT`, `${file.firstRowId ?? null}::BIGINT`, scope, ...values].join(', ')})`;
    });
    return `(VALUES ${rows.join(', ')}) f(path, seq, first, scope${constants.map((id) => `, c${id}`).join('')})`;
  }

  private positionJoins(files: readonly ScanFile[]): string[] {
    const pairs = files.flatMap((file) =>
      file.deletes
        .filter((d) => d.kind === 'position')
        .map((d) => [this.files.pathOf(d.location), file.location] as const),
    );
    const joins: string[] = [];
    if (pairs.length > 0) joins.push(`(${this.deletedRows(pairs)}) p ON p.file = q.file AND p.pos = q.rownum`);
    if (files.some((file) => file.deletes.some((d) => d.kind === 'vector'))) {
      joins.push(`${POSITIONS} dv ON dv.file = q.file AND dv.pos = q.rownum`);
    }
    return joins;
  }

  /** The rows that position deletes name, by pairs of delete file and location of a data file it applies to. */
  private deletedRows(pairs: readonly (readonly [string, string])[]): string {
    const source = readFiles([...new Set(pairs.map(([at]) => at))]);
    // A path is a file's own, so that of very many pairs the files alone tell enough.
    const few = pairs.length <= MOST_PAIRS;
    const rows = few
      ? pairs.map(([at, location]) => [at, location] as const)
      : [...new Set(pairs.map(([, location]) => location))].map((location) => [NO_FILE, location] as const);
    const values = rows.map(
      ([at, location]) => `(${literal(at)}, ${literal(location)}, ${literal(this.files.pathOf(location))})`,
    );
    const named = `(VALUES ${values.join(', ')}) n(deletes, location, file)`;
    const of = few ? `n.deletes = d.${FILE} AND ` : '';
    return `SELECT n.file, d.pos FROM ${source} d JOIN ${named} ON ${of}n.location = d.file_path`;
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
      const layout = this.files.layoutOf(d.location);
      byLayout.set(layout, [...(byLayout.get(layout) ?? []), d]);
    }
    return [...byLayout.values()].map((group) => {
      const fieldSql = this.files.fieldSql(group[0]!.location);
      const keys = ids.map((id) => {
        const path = this.files.keyField(id);
        return `${this.files.keySql(path, (field) => fieldSql.value(field, 'd'))} AS k${id}`;
      });
      const rows = group.map(
        (d) => `(${literal(this.files.pathOf(d.location))}, ${d.sequence}::BIGINT, ${literal(d.scope ?? NO_FILE)})`,
      );
      const source = readFiles(group.map((d) => this.files.pathOf(d.location)));
      return `SELECT ${keys.join(', ')}, f.seq, f.scope FROM ${source} d JOIN (VALUES ${rows.join(', ')}) f(path, seq, scope) ON f.path = d.${FILE}`;
    });
  }
}
