import { isNamePart } from '@svc/core/access';
import { isBound, readPolicies, readPolicy } from './policies.ts';
import { type QueryError, QueryRejectedError, tableNotFound } from './query-errors.ts';
import { boundSql, readAs, viewPolicySql } from './relation-policies.ts';
import type { DeletedPosition } from './relations/deleted-positions.ts';
import { columnAliases, inDialect } from './relations/engine-views.ts';
import { inlineRowsSql } from './relations/inline-rows.ts';
import type { LayoutCache } from './relations/layout-cache.ts';
import { managedSql, type RelationSql } from './relations/managed-sql.ts';
import type { TypedColumn } from './relations/policy-sql.ts';
import { pruned } from './relations/prune-files.ts';
import type { FileAccess } from './relations/relation-files.ts';
import { externalSql } from './relations/relation-sql.ts';
import type { EngineView, Relation, RequestedTable, Resolve } from './relations/relations.ts';
import type { ChildSource } from './sandbox/child-process.ts';
import { identifier, type Sql, sql, trustedSql } from './sql-text.ts';
import { keyOfTable, type TableName, tableKey } from './statement/guard.ts';
import type { PolicyExpression, PolicyFailure } from './statement/policy-expression.ts';
import type { Dialect } from './statement/postgres/rewriter.ts';
import type { ReadStatement, StatementParams } from './statement/read-statement.ts';
import { viewNameOf } from './statement/rewrite-tables.ts';
import type { StatementParser } from './statement/statement-parser.ts';

/** A planned query: what to create first, what to run, which files it reads. */
export type QueryPlan = {
  /** The checked query as SQL to run; it names only tables of the database `lake`. */
  readonly sql: Sql;
  /** What to create first, in dependency order. */
  readonly views: readonly PlannedView[];
  readonly schemas: readonly string[];
  readonly paths: readonly string[];
  /** The tables that the query and its views read, as named. */
  readonly tables: readonly TableName[];
  /** Whether a filter or mask applies to the reader on any of them. */
  readonly restricted: boolean;
  /** The maximum number of rows the query returns, if its text shows one. */
  readonly maxRows: number | null;
  /** Whether it has the same result whenever it runs over the same files: so do its views and policies. */
  readonly isDeterministic: boolean;
  /** Whether it calls a function of the session or the catalog, in the dialect `catalog`. */
  readonly usesCatalog: boolean;
  /** Whether its tables are so small together that the engine would read them as one unit. */
  readonly isSmall: boolean;
  /** Whether it reads so much that it will take a while. */
  readonly isLong: boolean;
};

/** The view that represents a table in the engine. None of it runs before the engine is confined. */
export type PlannedView = {
  readonly relation: Relation;
  readonly name: TableName;
  /** Its name in the engine. */
  readonly view: readonly [schema: string, name: string];
  /** Statements to run first. */
  readonly setup: readonly Sql[];
  /** Deletion vectors to load first. */
  readonly vectors: readonly DeletedPosition[];
  /** The CREATE statement. A policy on a view needs the view's columns, which the engine determines from `describe`. */
  readonly sql: Sql | { readonly describe: Sql; readonly sql: (columns: readonly TypedColumn[]) => Sql };
};

type ViewRelation = Extract<Relation, { kind: 'view' }>;
type TableRelation = Exclude<Relation, { kind: 'view' | 'rows' }>;

const MAX_VIEW_DEPTH = 16;
const MAX_TABLES = 500;
/** One row group, the smallest unit of work for an engine thread, and the bytes that it may have here. */
const SMALL_QUERY = { rows: 122_880, bytes: 16 * 1024 * 1024 };
/** Bytes of files that an engine reads in about a tenth of a second. */
const LONG_QUERY_BYTES = 16 * 1024 * 1024;

/**
 * Parses, guards and resolves a query and, recursively, the views it reads.
 *
 * @throws QueryRejectedError
 */
export async function planQuery(
  source: ChildSource,
  sql: string,
  resolve: Resolve,
  access: PlanAccess,
  { params = null, dialect }: { readonly params?: StatementParams; readonly dialect?: Dialect } = {},
): Promise<QueryPlan> {
  const planner = new Planner(source, resolve, access);
  const { text, maxRows } = await planner.checked(sql, [], { params, dialect });
  return { sql: text, maxRows, ...planner.found() };
}

/** How to find files, and the caches for their columns and for statements. */
export type PlanAccess = {
  readonly localPath: (location: string) => Promise<string>;
  readonly layouts: LayoutCache;
  readonly syntax: StatementParser;
  /** The source of a table that is not read from its files. */
  readonly readTable?: (table: { name: TableName; relation: TableRelation }) => Promise<RelationSql>;
};

class Planner {
  private readonly source: ChildSource;
  private readonly resolve: Resolve;
  private readonly access: FileAccess;
  private readonly syntax: StatementParser;
  private readonly readTable: PlanAccess['readTable'];
  private readonly planned = new Set<string>();
  private readonly tables = new Map<string, TableName>();
  private readonly views: PlannedView[] = [];
  private readonly paths = new Set<string>();
  private readonly schemas = new Set<string>();
  private restricted = false;
  private isDeterministic = true;
  private usesCatalog = false;
  private readonly reads = { rows: 0, bytes: 0 };

  constructor(source: ChildSource, resolve: Resolve, { localPath, layouts, syntax, readTable }: PlanAccess) {
    this.source = source;
    this.resolve = resolve;
    this.syntax = syntax;
    this.readTable = readTable;
    this.access = { localPath, layouts: (paths) => layouts.of(source, paths) };
  }

  found(): Omit<QueryPlan, 'sql' | 'maxRows'> {
    return {
      views: this.views,
      schemas: [...this.schemas],
      paths: [...this.paths],
      tables: [...this.tables.values()],
      restricted: this.restricted,
      isDeterministic: this.isDeterministic,
      usesCatalog: this.usesCatalog,
      isSmall: this.tables.size > 0 && this.reads.rows <= SMALL_QUERY.rows && this.reads.bytes <= SMALL_QUERY.bytes,
      isLong: this.reads.bytes > LONG_QUERY_BYTES,
    };
  }

  /**
   * The text to run for a query; its tables are planned first.
   *
   * @param within the views that contain the text, outermost first
   */
  async checked(
    sql: string,
    within: readonly TableName[],
    of: {
      readonly view?: EngineView | undefined;
      readonly params?: StatementParams;
      readonly dialect?: Dialect | undefined;
    },
  ): Promise<{ text: Sql; maxRows: number | null }> {
    const read = await this.syntax.statement(this.source, sql, of);
    if (!read.ok) {
      const rejection = new QueryRejectedError(read.code, read.message);
      if (read.position !== undefined) Object.assign(rejection.error, { position: read.position });
      throw rejection;
    }
    if (within.length > 0 && read.requested.some((table) => table.version !== null)) {
      throw new QueryRejectedError(
        'not-supported',
        'A view reads the current version of its tables. Use AT (…) in a query instead.',
      );
    }
    if (!read.isDeterministic) this.isDeterministic = false;
    if (read.usesCatalog) this.usesCatalog = true;
    await this.plan(read, within);
    return { text: trustedSql(read.sql), maxRows: read.maxRows };
  }

  private async plan(read: ReadStatement, within: readonly TableName[]): Promise<void> {
    const invalid = read.tables.find(({ name }) => !name.every(isNamePart));
    if (invalid !== undefined) throw tableNotFound(invalid.name);
    for (const { name } of read.requested) requireNoCycle(name, within);
    const unplanned = read.requested.filter(({ name, version }) => !this.planned.has(keyOfTable(name, version)));
    if (unplanned.length === 0) return;
    if (this.planned.size + unplanned.length > MAX_TABLES) {
      throw new QueryRejectedError('not-supported', `A query may read at most ${MAX_TABLES} tables.`);
    }
    const relations = await this.resolve(unplanned);
    for (const [i, table] of unplanned.entries()) {
      const relation = relations[i];
      if (!relation) throw tableNotFound(table.name);
      if (relation.kind === 'refused') {
        const { code, message, remedy } = relation;
        throw new QueryRejectedError(code, message, { remedy });
      }
      this.planned.add(keyOfTable(table.name, table.version));
      this.tables.set(tableKey(table.name), table.name);
      const selectsAll = within.length > 0 || relations.some((r) => r?.kind === 'view');
      await this.add(table, selectsAll ? relation : narrowed(table, relation), within);
    }
  }

  private async add(
    { name, version }: RequestedTable,
    relation: Relation,
    within: readonly TableName[],
  ): Promise<void> {
    const base = await this.baseOf(name, relation, within);
    for (const path of base.paths) this.paths.add(path);
    this.addSize(relation);
    const bound = isBound(relation);
    if (bound) this.restricted = true;
    const policies = await readPolicies(name, relation, (text) => this.policy(text));
    const [schema, table] = viewNameOf(name, version);
    this.schemas.add(schema);
    const create = (rows: Sql) =>
      sql`CREATE OR REPLACE VIEW lake.${identifier(schema)}.${identifier(table)} AS\n${rows}`;
    const ofView = (columns: readonly TypedColumn[]) => create(viewPolicySql(name, base.sql, columns, policies));
    this.views.push({
      relation,
      name,
      view: [schema, table],
      setup: base.setup ?? [],
      vectors: base.vectors ?? [],
      sql: !bound
        ? create(base.sql)
        : relation.kind === 'view' || relation.kind === 'rows'
          ? { describe: base.sql, sql: ofView }
          : create(boundSql(base.sql, relation, policies)),
    });
  }

  private async policy(text: string): Promise<PolicyExpression | PolicyFailure> {
    const policy = await readPolicy(this.syntax, this.source, text);
    if (policy.ok && !policy.isDeterministic) this.isDeterministic = false;
    return policy;
  }

  /** The size of an external table is unknown until it is read; a view's tables are counted individually. */
  private addSize(relation: Relation): void {
    if (relation.kind === 'external') this.reads.bytes = Number.POSITIVE_INFINITY;
    if (relation.kind !== 'managed') return;
    for (const file of relation.files) {
      this.reads.rows += file.rows;
      this.reads.bytes += file.bytes;
    }
  }

  private async baseOf(name: TableName, relation: Relation, within: readonly TableName[]): Promise<RelationSql> {
    if (relation.kind === 'rows') return inlineRowsSql(viewNameOf(name, null).join('.'), relation);
    if (relation.kind !== 'view' && this.readTable !== undefined) {
      return this.readTable({ name, relation: relation.kind === 'managed' ? readAs(relation) : relation });
    }
    if (relation.kind === 'managed') return managedSql(readAs(relation), this.access);
    if (relation.kind === 'external') return externalSql(relation);
    if (within.length >= MAX_VIEW_DEPTH) {
      throw new QueryRejectedError(
        'view-invalid',
        `The view ${name.join('.')} is nested deeper than ${MAX_VIEW_DEPTH} views.`,
      );
    }
    const text = await this.viewSql(name, relation, within);
    const rows = sql`SELECT * FROM (\n${text}\n)${columnAliases(relation.engine)}`;
    return { sql: rows, paths: [], columns: [] };
  }

  private async viewSql(name: TableName, { sql, engine }: ViewRelation, within: readonly TableName[]): Promise<Sql> {
    try {
      return (await this.checked(sql, [...within, name], { view: engine })).text;
    } catch (error) {
      if (!(error instanceof QueryRejectedError) || NOT_OF_THE_VIEW.includes(error.error.code)) throw error;
      throw new QueryRejectedError(
        'view-invalid',
        `The view ${name.join('.')} cannot be used${inDialect(engine)}: ${error.message}`,
      );
    }
  }
}

/** Errors of a view's statement that aren't mistakes in it, or that name the view already. */
const NOT_OF_THE_VIEW: readonly QueryError['code'][] = ['table-not-found', 'not-allowed', 'view-invalid'];

/** @throws QueryRejectedError for a view that reads itself, directly or through others */
function requireNoCycle(name: TableName, within: readonly TableName[]): void {
  const at = within.findIndex((view) => tableKey(view) === tableKey(name));
  if (at === -1) return;
  const others = within.slice(at + 1).map((view) => view.join('.'));
  const again = `${[...others, name.join('.')].join(', which reads ')} again. Change the statement of one of them`;
  const subject = others.length === 0 ? 'itself. Change its statement' : again;
  throw new QueryRejectedError('view-invalid', `The view ${name.join('.')} has no rows because it reads ${subject}.`);
}

/**
 * Keeps only the files in which the statement may find rows, for a table that it names once and that nothing else in
 * the query may name. For readers with a policy, the statement runs after the policy, over all files.
 */
function narrowed({ condition }: ReadStatement['requested'][number], relation: Relation): Relation {
  return relation.kind !== 'managed' || isBound(relation) ? relation : pruned(relation, condition);
}
