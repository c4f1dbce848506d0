import { decide, scopeOf } from '@svc/core/access';
import {
  type Asset,
  type AssetGraph,
  assetKey,
  FIRST_RUN_PLACEHOLDER,
  sinceWatermark,
  splitAssetName,
  WATERMARK_PLACEHOLDER,
} from '@svc/core/deploys';
import { nearestName } from '@svc/core/nearest-name';
import { sandboxOwner } from '@svc/core/queries';
import { findTable, tableNames } from '@svc/db/tables';
import { fieldsOfColumns } from '@svc/iceberg';
import type { TrinoEngine } from '@svc/lake/engines';
import {
  describeQuery,
  quotesNothing,
  type Relation,
  type RelationFailure,
  type RequestedTable,
} from '@svc/lake/queries';
import { CURRENT_ONLY } from '../tables/reader.ts';
import { engineOf } from '../work/engines.ts';
import { type DeployWork, grantsOf } from './deploy-work.ts';
import type { AssetStatement } from './read-asset-sql.ts';

/** Maximum statements whose columns are checked; the engine needs a moment for each. */
const MAX_DESCRIBED = 200;
/** Maximum names of the environment that are searched for a suggestion. */
const MAX_NAMES = 5000;

/** SQL's special treatments of NULL. Without any of them, a comparison with NULL selects nothing. */
const HANDLES_NULL = /\b(?:is\s+(?:not\s+)?(?:null|distinct|true|false)|coalesce|ifnull|case|if)\b/i;
const handlesFirstRun = (sql: string): boolean => sql.includes(FIRST_RUN_PLACEHOLDER) || HANDLES_NULL.test(sql);

/** The columns of a table that are known before anything is built; null if unknown. */
type Columns = readonly { readonly name: string; readonly type: string }[] | null;

/** The result of the check of names. */
export interface NamedColumns {
  readonly warnings: readonly string[];
  /** The columns of seeds and of the SELECTs of assets, by the key of the asset; null or absent if they aren't known. */
  readonly columns: ReadonlyMap<string, Columns>;
}

/**
 * Returns warnings about tables and columns that assets name and that don't exist, with suggestions. Tables that the
 * deploying principal can't read are left out, whether or not they exist: runs may act as another principal.
 */
export async function unknownNames(
  work: DeployWork,
  graph: AssetGraph,
  statements: readonly AssetStatement[],
): Promise<NamedColumns> {
  const { row } = work;
  const grants = await grantsOf(work);
  return new NameCheck(
    work,
    graph,
    (namespace, table) =>
      decide(grants, 'READ_TABLE', scopeOf({ environment: row.environment, namespace, table })).allowed,
  ).run(statements);
}

class NameCheck {
  private readonly work: DeployWork;
  private readonly graph: AssetGraph;
  private readonly mayRead: (namespace: string, table: string) => boolean;
  /** By table key. Tables that don't exist are `missing`; absent means not looked up yet. */
  private readonly columns = new Map<string, Columns | 'missing'>();
  private readonly warnings: string[] = [];
  private described = 0;
  private names: Promise<readonly string[]> | undefined;

  constructor(work: DeployWork, graph: AssetGraph, mayRead: NameCheck['mayRead']) {
    this.work = work;
    this.graph = graph;
    this.mayRead = mayRead;
  }

  async run(statements: readonly AssetStatement[]): Promise<NamedColumns> {
    const selected = new Map<string, Columns>();
    for (const key of this.graph.order) {
      const asset = this.graph.assets.get(key)!;
      const own = statements.filter((statement) => assetKey(statement.asset.name) === key);
      const select = own.find(({ check }) => check === null);
      await this.checkDeclared(asset, select);
      const found = await this.columnsBuilt(asset, select);
      this.columns.set(key, found === undefined ? await this.ownColumns(asset.name) : found);
      if (found !== undefined) {
        selected.set(key, found);
        this.checkHeader(asset, found);
      }
      for (const check of own) if (check.check !== null) await this.columnsOf(check);
    }
    return { warnings: this.warnings, columns: selected };
  }

  /** The columns of a seed, or of an asset's SELECT; undefined if only a build shows them. */
  private async columnsBuilt({ source }: Asset, select: AssetStatement | undefined): Promise<Columns | undefined> {
    if (source.language === 'csv') return source.columns;
    return select === undefined ? undefined : this.columnsOf(select);
  }

  /** Checks tables that only the header or the decorator names. */
  private async checkDeclared(asset: Asset, select: AssetStatement | undefined): Promise<void> {
    const read = new Set(select?.read.tables.map(({ name }) => assetKey(name.join('.'))));
    for (const name of asset.dependsOn.filter((one) => !read.has(assetKey(one)))) {
      if ((await this.lookUp(name)) === 'missing') {
        this.warn(`${asset.file}:${asset.line}`, `asset ${asset.name} depends on`, name, await this.tableMeant(name));
      }
    }
  }

  /** Returns the columns of a statement; null if they can't be known before its inputs are built. */
  private async columnsOf(statement: AssetStatement): Promise<Columns> {
    const { asset, check, read, locate } = statement;
    let complete = true;
    for (const { name, position } of read.tables) {
      const table = name.join('.');
      const found = assetKey(table) === assetKey(asset.name) ? await this.ownColumns(table) : await this.lookUp(table);
      if (found === 'missing') {
        const { file, line, caret } = locate(position);
        const at = [file, line, caret?.column].filter((part) => part != null).join(':');
        const reads = `${described(asset, check)} reads`;
        if (this.graph.assets.has(assetKey(table))) this.warnings.push(`${at}: ${reads} ${builtLater(asset, table)}`);
        else this.warn(at, reads, table, await this.tableMeant(table));
      }
      complete &&= found !== null && found !== 'missing';
    }
    if (!complete || this.described >= MAX_DESCRIBED) return null;
    this.described++;
    return this.describe(statement);
  }

  private async describe(statement: AssetStatement): Promise<Columns> {
    const { deps, claim, row } = this.work;
    const { asset, check, sql, read, locate } = statement;
    const request = {
      sql,
      resolve: async (tables: readonly RequestedTable[]) => tables.map((one) => this.relationOf(one)),
      owner: sandboxOwner(row.environment_id, row.created_by),
      signal: claim.signal,
    };
    const outcome = await describeQuery(deps.sandbox, request);
    if (outcome.ok) {
      await this.checkEngine(statement, request);
      return outcome.columns;
    }
    const { code, message } = outcome.error;
    if (quotesNothing(code)) return null;
    const quoted = /column "([^"]+)"/i.exec(message)?.[1]?.toLowerCase();
    const column = read.columns.find(({ name }) => name.at(-1)!.toLowerCase() === quoted);
    const { file, line, caret } = locate(column?.position ?? null);
    const at = [file, line, column?.position == null ? null : caret?.column].filter((part) => part != null).join(':');
    const text = message
      .replace(/^[A-Za-z ]+ Error: /, '')
      .split(/\s+/)
      .join(' ');
    this.warnings.push(`${at}: ${described(asset, check)}: ${text}`);
    return null;
  }

  /** Warns about a statement that is to run on Trino, and can't. */
  private async checkEngine({ asset, check, locate }: AssetStatement, request: Parameters<TrinoEngine['refusal']>[0]) {
    const { deps, row } = this.work;
    const engine = engineOf(deps, row.environment, asset);
    if (!('refusal' in engine)) return;
    const refusal = await engine.refusal(request);
    if (refusal === null || quotesNothing(refusal.code)) return;
    const { file, line } = locate(null);
    const remedy = 'Rewrite it, or write engine: duckdb in the header.';
    this.warnings.push(`${file}:${line}: ${described(asset, check)} can't run on Trino: ${refusal.message} ${remedy}`);
  }

  private relationOf({ name, version }: RequestedTable): Relation | RelationFailure | null {
    if (version !== null) return { kind: 'refused', code: 'version-not-found', message: CURRENT_ONLY };
    const columns = this.columns.get(assetKey(name.join('.')));
    if (columns === undefined || columns === null || columns === 'missing') return null;
    const described = columns.map((column) => ({ ...column, nullable: true, description: null }));
    const { fields } = fieldsOfColumns(described);
    const [namespace, table] = [name.slice(0, -1).join('.'), name.at(-1)!];
    const known = { environment: this.work.row.environment, namespace, table, snapshotId: null, fields };
    return { kind: 'managed', fields, files: [], catalogTables: [known] };
  }

  private checkHeader(asset: Asset, columns: Columns): void {
    const at = `${asset.file}:${asset.line}: asset ${asset.name}`;
    const { source, watermark } = asset;
    if (source.language === 'sql' && watermark !== null && !handlesFirstRun(source.sql)) {
      const write = `WHERE ${sinceWatermark(watermark)}`;
      this.warnings.push(
        `${at}: ${WATERMARK_PLACEHOLDER} is NULL in the first build, which may then load no rows; write ${write}`,
      );
    }
    if (columns === null) return;
    const names = columns.map(({ name }) => name);
    const missing = (what: string, name: string): void => {
      this.warnings.push(`${at}: ${what} ${name}, which its SELECT doesn't return.${hint(nearestName(name, names))}`);
    };
    if (watermark !== null && !names.includes(watermark)) missing('the watermark is the column', watermark);
    const known = new Set(names.map((name) => name.toLowerCase()));
    for (const name of (asset.key ?? []).filter((one) => !known.has(one.toLowerCase()))) {
      missing('the key names the column', name);
    }
    for (const name of Object.keys(asset.columns).filter((one) => !names.includes(one))) {
      missing('the header describes the column', name);
    }
  }

  private async lookUp(table: string): Promise<Columns | 'missing'> {
    const key = assetKey(table);
    if (!this.columns.has(key)) this.columns.set(key, await this.stored(table));
    return this.columns.get(key)!;
  }

  /** Returns the columns that an asset builds: as found above, or those of its last build. */
  private async ownColumns(table: string): Promise<Columns> {
    const key = assetKey(table);
    const columns = this.columns.has(key) ? this.columns.get(key)! : await this.stored(table);
    return columns === 'missing' ? null : columns;
  }

  private async stored(table: string): Promise<Columns | 'missing'> {
    const names = splitAssetName(table);
    if (names === null) return 'missing';
    if (!this.mayRead(names.namespace, names.table)) return null;
    const { namespace, table: name } = names;
    const found = await findTable(this.work.deps.db.prisma, {
      environmentId: this.work.row.environment_id,
      namespace,
      name,
    });
    if (found === null) return 'missing';
    return found.kind === 'artifact' ? null : found.columns;
  }

  private async tableMeant(table: string): Promise<string | null> {
    const { deps, row } = this.work;
    this.names ??= tableNames(deps.db.prisma, { environmentId: row.environment_id, limit: MAX_NAMES }).then((found) =>
      found
        .filter(({ namespace, name }) => this.mayRead(namespace, name))
        .map(({ namespace, name }) => `${namespace}.${name}`),
    );
    const assets = [...this.graph.assets.values()].map(({ name }) => name);
    return nearestName(table, [...assets, ...(await this.names)]);
  }

  private warn(at: string, what: string, name: string, suggestion: string | null): void {
    this.warnings.push(
      `${at}: ${what} ${name}, which doesn't exist in ${this.work.row.environment}.${hint(suggestion)}`,
    );
  }
}

const hint = (suggestion: string | null): string => (suggestion === null ? '' : ` Did you mean ${suggestion}?`);

const builtLater = ({ name }: Asset, table: string): string =>
  `${table}, which is built from ${name} and doesn't exist yet, so the first run fails: move the check to ${table}`;

const described = ({ name }: Asset, check: string | null): string =>
  check === null ? `asset ${name}` : `the check ${JSON.stringify(check)} of ${name}`;
