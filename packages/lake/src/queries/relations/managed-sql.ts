import { columnTypeOf, type DeleteFile, type IcebergField, isLineage, isRowId, type ScanFile } from '@svc/iceberg';
import { identifier, integer, joined, literal, literals, numbered, type Sql, sql, typeName } from '../sql-text.ts';
import { type DeletedPosition, POSITIONS } from './deleted-positions.ts';
import { constantSql, withoutSkipping } from './field-sql.ts';
import type { FileLayout } from './file-layout.ts';
import { FILE, type FileAccess, isPlain, NO_FILE, RelationFiles, ROW_POSITION, readFiles } from './relation-files.ts';
import type { ManagedFiles } from './relations.ts';

/** A SELECT that returns the relation's rows and columns, with its prerequisites. */
export type RelationSql = {
  readonly sql: Sql;
  readonly paths: readonly string[];
  readonly columns: readonly string[];
  /** Statements to run first. */
  readonly setup?: readonly Sql[];
  /** Deletion vectors to load into the engine first. */
  readonly vectors?: readonly DeletedPosition[];
};

type Equality = Extract<DeleteFile, { kind: 'equality' }>;

/** The limit up to which pairs of delete file and data file are written into the statement. */
const MAX_PAIRS = 10_000;

/** The alias of the data file's rows in a SELECT. */
const DATA = sql`d`;

const long = (value: bigint | null): Sql => sql`${value === null ? sql`NULL` : integer(value)}::BIGINT`;

/**
 * Reads the data files by field id, fills in what other writers' files lack, and applies the deletes. Files known to
 * have exactly the table's columns are read by name, without reading their footers first.
 */
export async function managedSql(relation: ManagedFiles, access: FileAccess): Promise<RelationSql> {
  const columns = relation.fields.map((f) => f.name);
  const files = await RelationFiles.open({ ...relation, files: typicalFirst(relation.files) }, access);
  const selects = new TableReader(files).selects();
  if (selects.length === 0) selects.push(selectNothing(columnsOf(relation)));
  return { sql: joined(selects, '\nUNION ALL\n'), paths: files.paths(), columns, vectors: files.vectors() };
}

/**
 * The engine takes the rows of the first file for those of every file when it chooses the order of joins. A small file that was
 * appended last must not be the first one.
 */
function typicalFirst(files: readonly ScanFile[]): readonly ScanFile[] {
  const mean = files.reduce((sum, { rows }) => sum + rows, 0) / files.length;
  // The smallest file with at least the mean: too high an estimate does less harm than too low a one.
  const large = files.filter(({ rows }) => rows >= mean);
  const typical = large.reduce((best, file) => (file.rows < best.rows ? file : best), large[0]!);
  return files.length < 2 || typical === files[0] ? files : [typical, ...files.filter((file) => file !== typical)];
}

function columnsOf({ fields, withPositions }: ManagedFiles): (readonly [name: string, type: Sql])[] {
  const columns = fields.map((f) => [f.name, typeName(columnTypeOf(f.type))] as const);
  if (withPositions !== true) return columns;
  return [
    ...columns,
    [ROW_POSITION.file, typeName({ kind: 'string' })],
    [ROW_POSITION.row, typeName({ kind: 'long' })],
  ];
}

export function selectNothing(columns: readonly (readonly [name: string, type: Sql])[]): Sql {
  const list = columns.map(([name, type]) => sql`CAST(NULL AS ${type}) AS ${identifier(name)}`);
  return sql`SELECT ${joined(list)} WHERE false`;
}

function plainColumn({ id, name }: IcebergField, unskippable: ReadonlySet<number>): Sql {
  const column = identifier(name);
  return unskippable.has(id) ? sql`${withoutSkipping(column)} AS ${column}` : column;
}

class TableReader {
  private readonly files: RelationFiles;

  constructor(files: RelationFiles) {
    this.files = files;
  }

  selects(): Sql[] {
    const { files, fields } = this.files.relation;
    const selects: Sql[] = [];
    const plain = files.filter(isPlain);
    if (plain.length > 0) {
      const unskippable = this.files.unskippableIn(plain);
      const list = joined(fields.map((field) => plainColumn(field, unskippable)));
      const paths = literals(plain.map((f) => this.files.pathOf(f.location)));
      selects.push(sql`SELECT ${list} FROM read_parquet(${paths}, hive_partitioning = false)`);
    }
    for (const group of this.groups(files.filter((f) => !isPlain(f)))) selects.push(this.select(group));
    return selects;
  }

  /** Groups the files that one SELECT reads: the same layout, and the same need for deletes and partition values. */
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

  private select(files: readonly ScanFile[]): Sql {
    const { fields, withPositions = false } = this.files.relation;
    const fieldSql = this.files.fieldSql(files[0]!.location);
    const constants = this.files.constantIds(files[0]!);
    const deletes = this.files.deletes('equality', files);
    const keys = [...new Set(deletes.flatMap((d) => d.fieldIds))].map((id) => this.files.keyField(id));
    const value = (field: IcebergField) => {
      if (constants.includes(field.id)) return sql`f.${numbered('c', field.id)}`;
      const fieldValue = fieldSql.value(field, DATA);
      if (!isLineage(field)) return fieldValue;
      return sql`coalesce(${fieldValue}, ${isRowId(field) ? sql`f.first + d.file_row_number` : sql`f.seq`})`;
    };
    const list = [
      ...fields.map((field, i) => sql`${value(field)} AS ${numbered('v', i)}`),
      ...keys.map((path) => sql`${this.files.keySql(path, value)} AS ${numbered('k', path.at(-1)!.id)}`),
    ];
    const source = readFiles(files.map((f) => this.files.pathOf(f.location)));
    const related = constants.length > 0 || deletes.length > 0 || fields.some(isLineage);
    const about = related ? sql` JOIN ${this.aboutFiles(files, constants)} ON f.path = d.${FILE}` : sql``;
    const more = related ? sql`, f.seq, f.scope` : sql``;
    const rows = sql`SELECT ${joined(list)}, d.${FILE} AS file, d.file_row_number AS rownum${more} FROM ${source} d${about}`;
    const antis = [...this.positionJoins(files), ...this.equalityJoins(deletes)];
    const names = fields.map((field, i) => sql`q.${numbered('v', i)} AS ${identifier(field.name)}`);
    if (withPositions) names.push(sql`q.file AS ${FILE}`, sql`q.rownum AS ${identifier(ROW_POSITION.row)}`);
    const anti = antis.map((rest) => sql` ANTI JOIN ${rest}`);
    return sql`SELECT ${joined(names)} FROM (${rows}) q${joined(anti, '')}`;
  }

  /** Sequence number, scope and partition values of each file. */
  private aboutFiles(files: readonly ScanFile[], constants: readonly number[]): Sql {
    const types = constants.map((id) => this.files.relation.fields.find((f) => f.id === id)!.type);
    const rows = files.map((file) => {
      const values = constants.map((id, i) => constantSql(types[i]!, file.constants?.get(id) ?? null));
      const known = [
        literal(this.files.pathOf(file.location)),
        long(file.sequence ?? 0n),
        long(file.firstRowId ?? null),
        literal(file.scope ?? NO_FILE),
      ];
      return sql`(${joined([...known, ...values])})`;
    });
    const names = constants.map((id) => sql`, ${numbered('c', id)}`);
    return sql`(VALUES ${joined(rows)}) f(path, seq, first, scope${joined(names, '')})`;
  }

  private positionJoins(files: readonly ScanFile[]): Sql[] {
    const pairs = files.flatMap((file) =>
      file.deletes
        .filter((d) => d.kind === 'position')
        .map((d) => [this.files.pathOf(d.location), file.location] as const),
    );
    const joins: Sql[] = [];
    if (pairs.length > 0) joins.push(sql`(${this.deletedRows(pairs)}) p ON p.file = q.file AND p.pos = q.rownum`);
    if (files.some((file) => file.deletes.some((d) => d.kind === 'vector'))) {
      joins.push(sql`${POSITIONS} dv ON dv.file = q.file AND dv.pos = q.rownum`);
    }
    return joins;
  }

  /** The rows that position deletes name, by pairs of delete file and location of a data file it applies to. */
  private deletedRows(pairs: readonly (readonly [string, string])[]): Sql {
    const source = readFiles([...new Set(pairs.map(([at]) => at))]);
    // A path belongs to one file, so with very many pairs the files alone are specific enough.
    const fitsInline = pairs.length <= MAX_PAIRS;
    const rows = fitsInline
      ? pairs.map(([at, location]) => [at, location] as const)
      : [...new Set(pairs.map(([, location]) => location))].map((location) => [NO_FILE, location] as const);
    const values = rows.map(
      ([at, location]) => sql`(${literal(at)}, ${literal(location)}, ${literal(this.files.pathOf(location))})`,
    );
    const named = sql`(VALUES ${joined(values)}) n(deletes, location, file)`;
    const of = fitsInline ? sql`n.deletes = d.${FILE} AND ` : sql``;
    return sql`SELECT n.file, d.pos FROM ${source} d JOIN ${named} ON ${of}n.location = d.file_path`;
  }

  /** A row is deleted if a delete with a higher sequence number and the same scope has its key. Null equals null. */
  private equalityJoins(deletes: readonly Equality[]): Sql[] {
    const byKey = new Map<string, Equality[]>();
    for (const d of deletes) {
      const key = `${d.scope === null} ${d.fieldIds.join('.')}`;
      byKey.set(key, [...(byKey.get(key) ?? []), d]);
    }
    return [...byKey.values()].map((group, i) => {
      const name = numbered('e', i);
      const keys = group[0]!.fieldIds.map((id) => numbered('k', id));
      const same = keys.map((key) => sql`${name}.${key} IS NOT DISTINCT FROM q.${key}`);
      const scoped = group[0]!.scope === null ? [] : [sql`${name}.scope = q.scope`];
      const of = joined([...keys, ...(scoped.length > 0 ? [sql`scope`] : [])]);
      const rows = joined(this.deletedKeys(group, group[0]!.fieldIds), '\nUNION ALL\n');
      const newest = sql`SELECT ${of}, max(seq) AS seq FROM (${rows}) GROUP BY ${of}`;
      return sql`(${newest}) ${name} ON ${joined([...same, ...scoped, sql`q.seq < ${name}.seq`], ' AND ')}`;
    });
  }

  private deletedKeys(deletes: readonly Equality[], ids: readonly number[]): Sql[] {
    const byLayout = new Map<FileLayout, Equality[]>();
    for (const d of deletes) {
      const layout = this.files.layoutOf(d.location);
      byLayout.set(layout, [...(byLayout.get(layout) ?? []), d]);
    }
    return [...byLayout.values()].map((group) => {
      const fieldSql = this.files.fieldSql(group[0]!.location);
      const keys = ids.map((id) => {
        const path = this.files.keyField(id);
        return sql`${this.files.keySql(path, (field) => fieldSql.value(field, DATA))} AS ${numbered('k', id)}`;
      });
      const rows = group.map(
        (d) => sql`(${literal(this.files.pathOf(d.location))}, ${long(d.sequence)}, ${literal(d.scope ?? NO_FILE)})`,
      );
      const source = readFiles(group.map((d) => this.files.pathOf(d.location)));
      return sql`SELECT ${joined(keys)}, f.seq, f.scope FROM ${source} d JOIN (VALUES ${joined(rows)}) f(path, seq, scope) ON f.path = d.${FILE}`;
    });
  }
}
